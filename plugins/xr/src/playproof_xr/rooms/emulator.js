// Loads a room into the emulator's synthetic environment, and puts right what it does to it. `sem` is the device's `sem`.
(sem, room) => {
  sem.loadEnvironment(room.environment);
  // Rays meet the front of a surface alone. Plane geometry is made with its front on the side of -y; WebXR's planes show +y.
  // Half a turn about x also mirrors it in z, about its own middle: our rectangles have theirs at the origin.
  for (const plane of sem.planes.children) plane.geometry.rotateX(Math.PI);
  for (const { uuid, label, polygon } of [...room.planes, ...room.meshes]) {
    const native = sem.objectMap.get(uuid).nativeEntity;
    native.semanticLabel = label;  // theirs knows no desk, and calls chairs couches
    if (polygon) native.polygon = polygon.map(([x, z]) => new DOMPointReadOnly(x, 0, z));
  }
  sem.scene.updateMatrixWorld(true);  // else rays of the first frame, before it is drawn, meet everything at the origin
}
