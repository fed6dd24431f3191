// The clinic's side: it gives the plan that the page's address names (?plan=assets/short.json), or the usual one. Leave it as it is.
const asked = new URLSearchParams(location.search);
const late = Number(asked.get("late") ?? 0); // seconds that the clinic takes to answer

/** A promise of { hold, exercises: [{ pose, title, repetitions }] }; rejected where there is no such plan. */
export const fetchPlan = async () => {
  await new Promise((go) => setTimeout(go, late * 1000));
  const reply = await fetch(asked.get("plan") ?? "assets/exercises.json");
  if (!reply.ok) throw new Error(`no plan: ${reply.status}`);
  return reply.json();
};
