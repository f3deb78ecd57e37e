/* Shows the calls of the planner: their triggers, requests and answers, and what a new schedule changed. */

const CALLS_SHOWN = 40; // this many calls around the shown moment are listed
const CALLS_STEP = 10; // the list of calls moves by this many
const CHANGES_SHOWN = 12;

function plannerCalls(player) {
  const sides = player.films.map((film, n) => ({ film, n, list: h("ol", { class: "calls" }), detail: h("div", { class: "call" }), chosen: null }));
  const element = h("div", { class: "pair" }, sides.map((side) => h("div", { class: "side" }, sideName(player, side.n), side.list, side.detail)));
  function show(t) {
    for (const side of sides) showCalls(side, t, player);
  }
  return { element, show };
}

/** Return the number of the last call up to a moment; 0 if there is none. */
function standingCall(film, t) {
  let [low, high] = [0, film.calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (film.calls[middle].t <= t) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function showCalls(side, t, player) {
  const { film, list, detail } = side;
  if (!film.calls.length) {
    keep(list, "none", () => h("li", {}, "The planner has not been called."));
    return;
  }
  const now = standingCall(film, t);
  const most = Math.max(0, film.calls.length - CALLS_SHOWN);
  const first = Math.max(0, Math.min(Math.floor(now / CALLS_STEP) * CALLS_STEP - CALLS_SHOWN / 2, most));
  const shown = film.calls.slice(first, first + CALLS_SHOWN);
  keep(list, `${first}|${film.entries}`, () => shown.map((call) => h("li", {},
    h("button", { type: "button", class: "entry", onclick: () => player.go(call.t) },
      h("span", { class: "mark call", "aria-hidden": "true" }, "▲"),
      h("strong", {}, ` ${call.t} `),
      h("span", {}, call.triggers.map((trigger) => spoken(trigger.trigger)).join(", ") || "planned"),
      call.tokens ? h("span", { class: "tokens" }, ` ${call.tokens.toLocaleString("en")} tokens`) : null))));
  const current = list.children[now - first]?.firstChild;
  if (side.current !== current) {
    side.current?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "true");
    side.current = current;
  }
  keep(detail, `${film.verdict ? 1 : 0}|${now}|${film.calls[now].plans.length}|${film.calls[now].answers.length}|${film.calls[now].said.length}`, () => callDetail(film, film.calls[now], player));
}

function callDetail(film, call, player) {
  return [
    h("h3", {}, "At ", jump(call.t, player, `timestep ${call.t}`), ` of ${film.name}`),
    call.triggers.length ? h("ul", { class: "happened" }, call.triggers.map((trigger) => h("li", {},
      h("span", { class: "pill" }, spoken(trigger.trigger)), " ", trigger.cause))) : null,
    priced(film, call.t),
    call.lookups.length ? h("p", {}, "Looked up: ", call.lookups.map((each) => each.key).join(", "), ".") : null,
    call.said.length ? h("ol", { class: "log" }, call.said.map((each) => messageOf(film, each))) : null,
    call.answers.map(answerOf),
    call.plans.map((plan) => planOf(film, plan, player)),
  ];
}

/** Return what a disruption cost and a replan changed at a timestep, by the verdict; null if nothing is told. */
function priced(film, t) {
  const checks = (film.verdict?.checks ?? []).filter((check) => check.subject === `episode at ${t}` && (check.value ?? null) !== null);
  return checks.length ? h("dl", { class: "figures" }, checks.map((check) => h("div", {},
    h("dt", {}, spoken(check.name)), h("dd", {}, String(check.value), h("small", {}, ` ${check.reason || check.evidence || ""}`))))) : null;
}

function answerOf(answer) {
  const usage = answer.usage;
  const tokens = `${usage.prompt} tokens in${usage.cached ? ` (${usage.cached} cached)` : ""}, ${usage.completion} out${usage.reasoning ? ` (${usage.reasoning} reasoning)` : ""}${usage.estimated ? ", estimated" : ""}`;
  return h("div", { class: "answer" },
    h("p", {}, h("strong", {}, answer.purpose), answer.agent ? ` by ${spoken(answer.agent)}` : "", `: ${answer.model}, ${tokens}`,
      answer.unusable ? h("span", { class: "bad" }, `; could not be used: ${spoken(answer.unusable)}`) : null),
    h("details", {}, h("summary", {}, "Prompt"), answer.messages.map((message) => [
      h("p", { class: "role" }, message.role), h("pre", { tabindex: "0" }, message.content)])),
    h("details", { open: true }, h("summary", {}, "Answer"), h("pre", { tabindex: "0" }, answer.refusal ?? (answer.text || "(no text)")),
      (answer.tool_calls ?? []).map((tool) => h("pre", { tabindex: "0" }, `${tool.name} ${tool.arguments}`))));
}

function planOf(film, plan, player) {
  const failed = plan.refused ?? plan.gave_up;
  return h("div", { class: "plan" },
    h("p", {}, plan.agent ? h("strong", {}, spoken(plan.agent), plan.reasoning ? ": " : "") : null, plan.reasoning || null),
    failed ? h("p", { class: "bad" }, plan.refused ? `The schedule was refused: ${failed}` : `Gave up: ${failed}`) : changesOf(film, plan, player));
}

/** Tell how far a schedule that was found by search is from its lower bound. */
function worthOf(plan) {
  const found = plan.search;
  if (!found) return "";
  if (found.status !== "feasible" || !found.bound) return ` (${spoken(found.status)})`;
  const above = (bound) => `${Math.round((plan.schedule.length / bound - 1) * 100)}%`;
  const model = found.model_bound > found.bound ? `, ${above(found.model_bound)} in the solver's model` : "";
  return ` (at most ${above(found.bound)} above the shortest${model})`;
}

function changesOf(film, plan, player) {
  const { first, spans } = rescheduled(film, plan);
  const count = plan.schedule.length;
  const length = counted(count, film.run.lasting ? "action" : "timestep");
  if (first) return h("p", {}, `The first schedule: ${length}${worthOf(plan)}, from ${plan.t}${film.run.lasting ? " on" : ` to ${plan.t + count - 1}`}.`);
  if (!spans.length) return h("p", {}, `A schedule of ${length}${worthOf(plan)}; it changes nothing of what was planned.`);
  spans.sort((one, other) => one.from - other.from);
  const rows = spans.slice(0, CHANGES_SHOWN).map((span) => [
    jump(span.from, player, span.to - span.from > 1 ? `${span.from} to ${span.to - 1}` : `${span.from}`),
    spoken(span.worker), h("del", {}, span.before), h("ins", {}, span.now)]);
  const changed = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  return [
    h("p", {}, `A schedule of ${length}${worthOf(plan)}. Against the one before it changes ${counted(changed, "assignment")}, the first at timestep ${spans[0].from}:`),
    table(["timestep", "worker", "before", "now"], rows),
    spans.length > CHANGES_SHOWN ? h("p", { class: "more" }, `and ${spans.length - CHANGES_SHOWN} more`) : null,
  ];
}
