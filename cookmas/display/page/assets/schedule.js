/* What a new schedule changes against the one that stood. */

/** Worker to action at a timestep, as a plan has it. */
function planned(plan, t) {
  return Object.fromEntries(plan?.schedule?.[t - plan.t] ?? []);
}

/** The plan that an answer took the place of: the last one before it of the same agent. */
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

/** Spans in which a worker is to do other than before: {worker, from, to, before, now}. */
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
