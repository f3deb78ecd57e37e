/* Compares a new schedule with the one before it. */

/** Return the action of each worker at a timestep of a plan. */
function planned(plan, t) {
  return Object.fromEntries(plan?.schedule?.[t - plan.t] ?? []);
}

/** Return the plan that a plan replaced: the last one before it of the same agent. */
function planBefore(film, plan) {
  let before = null;
  for (const call of film.calls) {
    for (const other of call.plans) {
      if (other === plan) return before;
      if (other.agent === plan.agent) before = other;
    }
  }
  return before;
}

/** Return the spans for which a plan has another action than before: {worker, from, to, before, now}. */
function rescheduled(film, plan) {
  const before = planBefore(film, plan);
  const idle = film.run.idle;
  const end = Math.max(plan.t + plan.schedule.length, before ? before.t + before.schedule.length : 0);
  const spans = [];
  for (const worker of film.run.workers) {
    if (plan.agent && plan.agent !== worker) continue;
    let last = null;
    for (let t = plan.t; t < end; t += 1) {
      const [old, now] = [planned(before, t)[worker] ?? idle, planned(plan, t)[worker] ?? idle];
      if (old === now) last = null;
      else if (last && last.before === old && last.now === now) last.to = t + 1;
      else spans.push((last = { worker, from: t, to: t + 1, before: old, now }));
    }
  }
  return { first: before === null || !before.schedule.length, spans, until: end };
}
