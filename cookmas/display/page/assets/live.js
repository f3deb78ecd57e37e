/* Follows a run that is going on, and sends the messages of guests. */

const MOST_ENTRIES = 20000; // a film of more entries begins again with the last parts of the run

/** Return what shows this tab to the server: the token of its address, and a secret of its visitor. They are kept in
 *  this tab, where no other port of this host can read them, and the token is taken out of the address. */
function papers() {
  const address = new URL(location.href);
  if (address.searchParams.has("token")) {
    sessionStorage.setItem("token", address.searchParams.get("token"));
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  if (!sessionStorage.getItem("visitor")) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    sessionStorage.setItem("visitor", btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""));
  }
  return { token: sessionStorage.getItem("token"), visitor: sessionStorage.getItem("visitor") };
}

/** Feed a new film from the server, with the entries of a part on or, by default, of the last parts. The browser
 *  connects again by itself, and says where it was. */
function listen(server, told, part) {
  const source = new EventSource(`${server.events}?${new URLSearchParams({ ...papers(), ...(part === undefined ? {} : { part }) })}`);
  const blank = () => Object.assign(new Film(), { earlier: () => again(fresh.run.part - 1) });
  const again = (from) => {
    source.close();
    listen(server, told, from);
  };
  let fresh = blank();
  let timer = null;
  source.addEventListener("entry", (event) => {
    const entry = JSON.parse(event.data);
    if (entry.kind === "run" && fresh.entries > MOST_ENTRIES && told.following(fresh)) {
      again();
      return;
    }
    fresh.push(entry);
    timer ??= setTimeout(() => { timer = null; told.grown(fresh); }, 50);
  });
  source.addEventListener("again", () => { fresh = blank(); });
  source.addEventListener("over", (event) => {
    source.close();
    const { why } = JSON.parse(event.data);
    if (!fresh.verdict) fresh.broken = why;
    told.over(fresh, why);
  });
  source.addEventListener("open", () => told.state("connected"));
  source.addEventListener("error", () => told.state("connecting again"));
}

/** Make the form of a message. `fields` are {name, label, example, choices, optional}. */
function messageForm(server, title, kind, fields, answered) {
  const id = (field) => `${kind}-${field.name}`;
  const known = (field) => (field.choices?.length ? `${id(field)}-choices` : undefined);
  const inputs = fields.map((field) => h("input", { name: field.name, id: id(field), required: field.optional ? undefined : true, maxlength: 600, autocomplete: "off", placeholder: field.example, list: known(field) }));
  const lists = fields.filter(known).map((field) => h("datalist", { id: known(field) }, field.choices.map((each) => h("option", { value: each }))));
  const button = h("button", { type: "submit" }, title);
  const submit = async (event) => {
    event.preventDefault();
    button.setAttribute("disabled", "");
    const message = Object.fromEntries(inputs.map((input) => [input.name, input.value]));
    const answer = await send(server.messages, { kind, ...message });
    button.removeAttribute("disabled");
    answered(answer);
    if (!isLost(answer)) for (const input of inputs) if (input.value === message[input.name]) input.value = "";
  };
  return h("form", { onsubmit: submit }, lists, fields.map((field, i) => h("label", { for: id(field) }, field.label, inputs[i])), button);
}

/** Ask the server, with a message if one is given, and return its answer. If it does not answer, return {why}. */
async function request(where, message) {
  const { token, visitor } = papers();
  const headers = { "Authorization": `Bearer ${token}`, "CookMAS-Visitor": visitor };
  const written = message && { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(message) };
  try {
    return await (await fetch(where, written ?? { headers })).json();
  } catch {
    return { why: "the server does not answer" };
  }
}

/** Return whether a message has no effect. */
const isLost = (answer) => ["refused", "withdrawn"].includes(answer.status);

async function send(where, message) {
  return { status: "refused", ...await request(where, message) };
}

/** Make the panel of guests with the messages of the world; null if the server takes no messages. */
function guestPanel(server, film) {
  if (!server.messages) return null;
  const said = h("p", { class: "answered", role: "status" });
  const answered = (answer) => {
    const words = answer.status === "refused" ? `refused: ${answer.why}` : `${spoken(answer.status)}${answer.about ? `: ${answer.about}` : ""}`;
    fill(said, words);
    said.className = `answered ${isLost(answer) ? "bad" : "good"}`;
  };
  const forms = film.run.forms ?? [];
  const make = ({ title, kind, fields }) => messageForm(server, title, kind, fields, answered);
  const groups = [...new Set(forms.map((form) => form.group).filter(Boolean))];
  const element = h("div", { class: "guest" },
    forms.filter((form) => !form.group).map(make),
    groups.map((group) => h("details", {}, h("summary", {}, group), forms.filter((form) => form.group === group).map(make))),
    h("details", {}, h("summary", {}, "Be the supervisor"),
      make({ title: "Instruct", kind: "instruct", fields: [{ name: "words", label: "To the orchestrator, in plain words", example: "the oldest one first, please" }] })),
    said);
  const show = () => { if (film.end) keep(element, "closed", () => h("p", {}, "It is over: nothing more is taken.")); };
  return { element, show };
}
