// Both hands as the app needs them, by handedness: where a pinch closes, where the palm is, what the fingers do.
import * as THREE from "three";

const FINGERS = ["index-finger", "middle-finger", "ring-finger", "pinky-finger"];
const CURLED = 0.08, OPENED = 0.09; // metres from the tips of three fingers to the palm's middle, on average
const SKIN = "#c9b8f2";
const MOST = 240, BETWEEN = 4; // dots that are drawn, and steps from a joint to the next

class HandState {
  tracked = false;
  pinching = false; // the device's select action
  pinched = false; // began in this frame
  grabbing = false;
  grabbed = false; // began in this frame
  pinchPoint = new THREE.Vector3();
  palm = { position: new THREE.Vector3(), normal: new THREE.Vector3(), quaternion: new THREE.Quaternion() };
  pressed = false; // what the device last said
  source = null;

  constructor(side) {
    this.side = side;
  }
}

export class Hands {
  #dots;
  #matrix = new THREE.Matrix4();

  constructor(renderer, scene) {
    this.left = new HandState("left");
    this.right = new HandState("right");
    this.all = [this.left, this.right];
    for (const index of [0, 1]) {
      const space = renderer.xr.getHand(index), ray = renderer.xr.getController(index);
      scene.add(space, ray);
      space.addEventListener("connected", ({ data }) => this.#connect(space, data));
      space.addEventListener("disconnected", () => this.#disconnect(space));
      ray.addEventListener("selectstart", ({ data }) => this.#press(data, true));
      ray.addEventListener("selectend", ({ data }) => this.#press(data, false));
    }
    this.#dots = new THREE.InstancedMesh(
      new THREE.SphereGeometry(1, 12, 8), new THREE.MeshStandardMaterial({ color: SKIN, roughness: 0.5 }), MOST);
    this.#dots.name = "hands";
    this.#dots.frustumCulled = false;
    scene.add(this.#dots);
  }

  #connect(space, source) {
    if (source.hand && this[source.handedness]) this[source.handedness].source = space;
  }

  #disconnect(space) {
    for (const hand of this.all) if (hand.source === space) Object.assign(hand, { source: null, pressed: false });
  }

  #press(source, down) {
    if (source?.hand && this[source.handedness]) this[source.handedness].pressed = down;
  }

  update() {
    this.#dots.count = 0;
    for (const hand of this.all) this.#read(hand);
    this.#dots.instanceMatrix.needsUpdate = true;
  }

  #read(hand) {
    const joints = hand.source?.joints;
    hand.tracked = Boolean(joints?.wrist?.visible && hand.source.visible);
    const [pinched, grabbed] = [hand.pinching, hand.grabbing];
    if (hand.tracked) {
      this.#measure(hand, joints);
      this.#draw(joints);
    } else {
      Object.assign(hand, { pinching: false, grabbing: false, pressed: false });
    }
    hand.pinching = hand.tracked && hand.pressed;
    hand.pinched = hand.pinching && !pinched;
    hand.grabbed = hand.grabbing && !grabbed;
  }

  #measure(hand, joints) {
    const at = (name, into = new THREE.Vector3()) => joints[name].getWorldPosition(into);
    hand.pinchPoint.lerpVectors(at("thumb-tip"), at("index-finger-tip"), 0.5);
    const roots = FINGERS.map((finger) => at(`${finger}-metacarpal`)), knuckles = FINGERS.map((finger) => at(`${finger}-phalanx-proximal`));
    const root = mean(roots), knuckle = mean(knuckles);
    const up = knuckle.clone().sub(root).normalize(); // to the fingers
    const across = hand.side === "left" ? knuckles[3].clone().sub(knuckles[0]) : knuckles[0].clone().sub(knuckles[3]);
    const { position, normal, quaternion } = hand.palm;
    normal.crossVectors(across, up).normalize(); // out of the palm
    position.lerpVectors(root, knuckle, 0.5).addScaledVector(normal, joints["middle-finger-metacarpal"].jointRadius ?? 0.012);
    const side = up.clone().cross(normal);
    quaternion.setFromRotationMatrix(this.#matrix.makeBasis(side, up, normal));
    const middle = root.lerp(knuckle, 0.5);
    const curl = FINGERS.slice(1).reduce((sum, finger) => sum + at(`${finger}-tip`).distanceTo(middle) / 3, 0);
    hand.grabbing = curl < (hand.grabbing ? OPENED : CURLED);
  }

  #draw(joints) {
    let before = joints.wrist;
    for (const [name, joint] of Object.entries(joints)) {
      if (name.endsWith("metacarpal")) before = joints.wrist;
      for (let step = 1; step <= BETWEEN; step++) this.#dot(before, joint, step / BETWEEN);
      before = joint;
    }
  }

  #dot(from, to, share) {
    if (this.#dots.count >= MOST) return;
    const size = 0.85 * THREE.MathUtils.lerp(from.jointRadius ?? 0.008, to.jointRadius ?? 0.008, share);
    const place = new THREE.Vector3().setFromMatrixPosition(from.matrixWorld).lerp(new THREE.Vector3().setFromMatrixPosition(to.matrixWorld), share);
    this.#dots.setMatrixAt(this.#dots.count++, this.#matrix.makeScale(size, size, size).setPosition(place));
  }
}

const mean = (points) => points.reduce((sum, point) => sum.addScaledVector(point, 1 / points.length), new THREE.Vector3());
