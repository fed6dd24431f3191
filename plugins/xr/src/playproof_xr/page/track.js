// What is watched is sampled at the end of every frame, when the frame's callbacks are done: the tick, and of each watched object what
// has changed since the sample before (null when it is not in the scene).
const MOST_SAMPLES = 200_000;
const track = { objects: makeQueue(), rows: "", samples: 0, left_off: 0, watching: false, planes: "", lastPlanes: "" };

const watchObjects = (ids) => {
  for (let index = 0; index < ids.length; index++) {
    track.objects.push({ id: ids[index], object: findObject(ids[index]), told: "" });
  }
  sample();
  if (track.watching) return;
  track.watching = true;
  const again = () => {
    clock.requestIdle(realm, again);
    sample();
  };
  clock.requestIdle(realm, again);
};

const sample = () => {
  if (track.samples >= MOST_SAMPLES) {
    track.left_off++;
    return;
  }
  const toSession = sceneToSession(), view = viewOf();
  let values = "";
  for (let at = track.objects.first; at; at = at.next) {
    const watched = at.value;
    track.samples++;
    const told = sampleText(watched.object, toSession, view);
    if (told !== watched.told) values += (values ? "," : "") + stringify(watched.id) + ":" + told;
    watched.told = told;
  }
  track.rows += (track.rows ? "," : "") + '{"tick":' + numberText(clock.state.now) + ',"values":{' + values + "}}";
};

// The room's planes, where something is told to change them: as they were before, and as they are after (`later` a tick).
const notePlanes = (later) => {
  const told = planesText();
  if (track.samples >= MOST_SAMPLES || told === track.lastPlanes) return;
  track.samples++;
  track.lastPlanes = told;
  track.planes += (track.planes ? "," : "") + '{"tick":' + numberText(clock.state.now + later) + ',"planes":' + told + "}";
};

const findObject = (id) => {
  const nodes = noNodes();
  engine().roots((root) => gather(nodes, root, null));
  for (let node = nodes.first; node; node = node.next) if (engine().id(node.object) === id) return node.object;
  return null;
};

// Whether an object is in a scene, and shown with all that it is in; null for one that is in none.
const standing = (object) => {
  let shown = true;
  let depth = 0;
  for (let at = object; at; at = engine().parent(at)) {
    if (++depth > DEEPEST_TREE) return null;
    shown = shown && engine().isShown(at);
    if (engine().isRoot(at)) return shown;
  }
  return null;
};

const sampleText = (object, toSession, view) => {
  try {
    const shown = object ? standing(object) : null;
    if (shown === null) return "null";
    const nodes = noNodes();
    gather(nodes, object, toSession);
    joinBoxes(nodes);
    const { matrix, box } = nodes.first;
    const boxed = box[0] <= box[3];
    const seen = shown && (boxed ? boxInView(box, view) : pointInView(matrix[12], matrix[13], matrix[14], view));
    return '{"matrix":' + numbersText(matrix, 16) + ',"box":' + (boxed ? numbersText(box, 6) : "null") + ',"local":' + localText(object) +
      ',"visible":' + shown + ',"in_view":' + seen + "}";
  } catch (error) {
    return '{"lost":' + stringify("cannot be read: " + textOf(error)) + "}";
  }
};

verbs.xrTrack = () => {
  const told = '={"rows":[' + track.rows + '],"left_off":' + track.left_off + ',"planes":' + planesText() + ',"planes_at":[' + track.planes + "]}";
  track.rows = track.planes = "";
  return told;
};
