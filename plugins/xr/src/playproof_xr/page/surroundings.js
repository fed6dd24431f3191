// The room changes while the app runs: see surroundings/telling.py for what is told. Each plane and mesh by its uuid; what a change
// leaves out is as it was. Poses are no attributes of planes and meshes (plane detection draft, on lastChangedTime), outlines and
// vertices are; what goes and comes again is a new plane.
const RigidTransform = xrTypes.XRRigidTransform;
const CornerPoint = DOMPointReadOnly;
const Words = Uint32Array;
const entityOf = uncurry(Map.prototype.get);
const setEntity = uncurry(Map.prototype.set);
const movables = { __proto__: null }; // uuid of a piece -> its pose at the start and now, for the mesh of everything
const whole = { entity: null, parts: {}, vertices: null, indices: null };

if (xr.room) {
  for (const mesh of xr.room.meshes) {
    if (!mesh.parts) continue;
    whole.parts = mesh.parts;
    whole.entity = entityOf(environment.objectMap, mesh.uuid);
  }
  for (const uuid of keys(whole.parts)) {
    const { position, quaternion } = entityOf(environment.objectMap, uuid);
    const start = compose([position.x, position.y, position.z], [quaternion.x, quaternion.y, quaternion.z, quaternion.w]);
    movables[uuid] = { back: invertAffine(start), now: start, stands: true };
  }
  if (whole.entity) {
    whole.vertices = new Floats(whole.entity.nativeEntity.vertices);
    whole.indices = new Words(whole.entity.nativeEntity.indices);
  }
}

// The app's own object for a plane or a mesh that it has been given, if it has.
const detectedOf = (native, kind) => {
  const state = events.session ? kept(events.session, "xr-session") : undefined;
  const detected = state ? entityOf(kind === "planes" ? state.trackedPlanes : state.trackedMeshes, native) : undefined;
  return detected ? { detected, state: kept(detected, kind === "planes" ? "xr-plane" : "xr-mesh") } : null;
};
const hasChanged = (given) => given && mapSet(changing, given.detected, true);

const putEntity = (uuid, told) => {
  const known = entityOf(environment.objectMap, uuid);
  if (known || !told.entity) return known;
  const entity = environment.planes.children[0].constructor.fromPBJSON(told.entity);
  entity.nativeEntity.semanticLabel = "other";
  setEntity(environment.objectMap, uuid, entity);
  return entity;
};
const placeEntity = (entity, seven, kind) => {
  entity.position.set(seven[0], seven[1], seven[2]);
  entity.quaternion.set(seven[3], seven[4], seven[5], seven[6]);
  const native = entity.nativeEntity;
  native.transform = new RigidTransform({ x: seven[0], y: seven[1], z: seven[2], w: 1 }, { x: seven[3], y: seven[4], z: seven[5], w: seven[6] });
  const given = detectedOf(native, kind);
  if (!given) return;
  const into = kept(given.state.planeSpace ?? given.state.meshSpace, "xr-space").offsetMatrix;
  const matrix = compose(seven, [seven[3], seven[4], seven[5], seven[6]]);
  for (let index = 0; index < 16; index++) into[index] = matrix[index];
};
const showEntity = (entity, isThere, kind) => {
  const all = kind === "planes" ? detectable.planes : detectable.meshes;
  if (isThere) {
    (kind === "planes" ? environment.planes : entity.entityType === "box" ? environment.boxes : environment.meshes).add(entity);
    setAdd(all, entity.nativeEntity);
  } else {
    entity.removeFromParent();
    setDelete(all, entity.nativeEntity);
  }
};
// The polygon, and the rectangle around it, which rays meet.
const outlinePlane = (entity, polygon) => {
  const native = entity.nativeEntity;
  const points = [];
  const wanted = emptyBox();
  for (let index = 0; index < polygon.length; index++) {
    const x = polygon[index][0], z = polygon[index][1];
    own(points, index, new CornerPoint(x, 0, z));
    grow(wanted, x, 0, z);
  }
  native.polygon = points;
  const given = detectedOf(native, "planes");
  if (given) given.state.polygon = points;
  hasChanged(given);
  const { geometry } = entity;
  const { array } = geometry.attributes.position;
  const box = emptyBox();
  for (let at = 0; at < array.length; at += 3) grow(box, array[at], array[at + 1], array[at + 2]);
  for (let at = 0; at < array.length; at += 3) {
    array[at] = array[at] - box[0] < box[3] - array[at] ? wanted[0] : wanted[3];
    array[at + 2] = array[at + 2] - box[2] < box[5] - array[at + 2] ? wanted[2] : wanted[5];
  }
  geometry.attributes.position.needsUpdate = true;
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
};

// The mesh of everything follows its pieces.
const rebuildWhole = () => {
  const vertices = new Floats(whole.vertices);
  let indices = whole.indices;
  const pieces = keys(whole.parts);
  for (let index = 0; index < pieces.length; index++) {
    const part = whole.parts[pieces[index]], { back, now, stands } = movables[pieces[index]];
    const motion = multiply(now, back);
    for (let at = part.vertices[0]; at < part.vertices[0] + part.vertices[1]; at++) {
      const from = [whole.vertices[3 * at], whole.vertices[3 * at + 1], whole.vertices[3 * at + 2]];
      for (let axis = 0; axis < 3; axis++) vertices[3 * at + axis] = motion[axis] * from[0] + motion[4 + axis] * from[1] + motion[8 + axis] * from[2] + motion[12 + axis];
    }
    if (!stands) indices = without(indices, whole.indices, part.indices);
  }
  const { entity } = whole, native = entity.nativeEntity, given = detectedOf(native, "meshes");
  const Attribute = entity.geometry.index.constructor;
  entity.geometry.setAttribute("position", new Attribute(new Floats(vertices), 3));
  entity.geometry.setIndex(new Attribute(new Words(indices), 1));
  entity.geometry.computeVertexNormals();
  entity.geometry.computeBoundingSphere();
  entity.geometry.computeBoundingBox();
  native.vertices = vertices;
  native.indices = indices;
  if (given) {
    given.state.vertices = vertices;
    given.state.indices = indices;
  }
  hasChanged(given);
};
// Triangles of a piece are those that name its first vertices: none of them is anybody else's.
const without = (indices, all, part) => {
  const gone = new NativeSet();
  for (let at = part[0]; at < part[0] + part[1]; at++) setAdd(gone, all[at]);
  const left = new Words(indices.length);
  let count = 0;
  for (let at = 0; at < indices.length; at++) if (!setHas(gone, indices[at])) left[count++] = indices[at];
  return new Words(left.buffer, 0, count);
};

const changeEntity = (uuid, told, kind) => {
  const entity = putEntity(uuid, told);
  if (!entity) return;
  if (told.pose) placeEntity(entity, told.pose, kind);
  if (told.polygon) outlinePlane(entity, told.polygon);
  if (told.there !== undefined) showEntity(entity, told.there, kind);
};
// Whether the mesh of everything changes with it.
const followPiece = (uuid, told) => {
  const piece = movables[uuid];
  if (!piece || (told.pose === undefined && told.stands === undefined)) return false;
  if (told.pose) piece.now = compose(told.pose, [told.pose[3], told.pose[4], told.pose[5], told.pose[6]]);
  if (told.stands !== undefined) piece.stands = told.stands;
  return true;
};
const changeEach = (changed, kind) => {
  let follows = false;
  const names = changed ? keys(changed) : [];
  for (let index = 0; index < names.length; index++) {
    changeEntity(names[index], changed[names[index]], kind);
    follows = followPiece(names[index], changed[names[index]]) || follows;
  }
  return follows;
};
const applyRoom = (told) => {
  notePlanes(0);
  changeEach(told.planes, "planes");
  if (changeEach(told.meshes, "meshes") && whole.entity) rebuildWhole();
  environment.scene.updateMatrixWorld(true);
  if (told.light) shine(told.light);
  if (told.origin) moveOrigin(told.origin);
  notePlanes(1);
};
