// The house's side: it tells which sounds there are, as the page's address names them (?sounds=assets/quiet.json). Leave it as it is.
const asked = new URLSearchParams(location.search);
const late = Number(asked.get("late") ?? 0); // seconds that the house takes to answer

/** A promise of [{ words, from, after, lasting }]; rejected where the house says nothing. */
export const fetchSounds = async () => {
  await new Promise((go) => setTimeout(go, late * 1000));
  const reply = await fetch(asked.get("sounds") ?? "assets/sounds.json");
  if (!reply.ok) throw new Error(`no sounds: ${reply.status}`);
  return reply.json();
};
