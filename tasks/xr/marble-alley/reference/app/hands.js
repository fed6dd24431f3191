// Both hands, by handedness: where a pinch closes, where the index finger ends, and how fast the hand goes.
import * as THREE from "three";

const FINGERS = ["index-finger", "middle-finger", "ring-finger", "pinky-finger"];
const AVERAGED = 0.1; // seconds

class HandState {
  tracked = false;
  pinching = false; // the device's select action
  pinched = false; // began in this frame
  pinchPoint = new THREE.Vector3();
  tip = { position: new THREE.Vector3(), radius: 0 };
  pressed = false; // what the device last said
  source = null;
  way = []; // { time, point }: where the palm was of late, in the session's frame

  constructor(side) {
    this.side = side;
  }

  /** Metres a second, in the session's frame. */
  get velocity() {
    const [first, last] = [this.way[0], this.way.at(-1)];
    return first && last.time > first.time ? last.point.clone().sub(first.point).divideScalar(last.time - first.time) : new THREE.Vector3();
  }
}

export class Hands {
  #dots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 12, 8), new THREE.MeshStandardMaterial({ color: "#e8c4a0" }), 50);
  #matrix = new THREE.Matrix4();

  constructor(renderer, scene) {
    this.all = [new HandState("left"), new HandState("right")];
    for (const index of [0, 1]) {
      const space = renderer.xr.getHand(index), ray = renderer.xr.getController(index);
      scene.add(space, ray);
      space.addEventListener("connected", ({ data }) => this.#connect(space, data));
      space.addEventListener("disconnected", () => this.#disconnect(space));
      ray.addEventListener("selectstart", ({ data }) => this.#press(data, true));
      ray.addEventListener("selectend", ({ data }) => this.#press(data, false));
    }
    this.#dots.name = "hands";
    this.#dots.frustumCulled = false;
    scene.add(this.#dots);
  }

  #of(side) {
    return this.all.find((hand) => hand.side === side);
  }

  #connect(space, source) {
    if (source.hand && this.#of(source.handedness)) this.#of(source.handedness).source = space;
  }

  #disconnect(space) {
    for (const hand of this.all) if (hand.source === space) Object.assign(hand, { source: null, pressed: false });
  }

  #press(source, down) {
    if (source?.hand && this.#of(source.handedness)) this.#of(source.handedness).pressed = down;
  }

  /** `time` in seconds. */
  update(time) {
    this.#dots.count = 0;
    for (const hand of this.all) this.#read(hand, time);
    this.#dots.instanceMatrix.needsUpdate = true;
  }

  #read(hand, time) {
    const joints = hand.source?.joints, before = hand.pinching;
    hand.tracked = Boolean(joints?.wrist?.visible && hand.source.visible);
    if (hand.tracked) {
      this.#measure(hand, joints, time);
    } else {
      hand.pressed = false;
      hand.way = [];
    }
    hand.pinching = hand.tracked && hand.pressed;
    hand.pinched = hand.pinching && !before;
  }

  #measure(hand, joints, time) {
    const at = (name) => joints[name].getWorldPosition(new THREE.Vector3());
    hand.pinchPoint = at("thumb-tip").lerp(at("index-finger-tip"), 0.5);
    hand.tip = { position: at("index-finger-tip"), radius: joints["index-finger-tip"].jointRadius ?? 0.007 };
    const point = FINGERS.reduce((sum, finger) => sum.addScaledVector(at(`${finger}-metacarpal`), 1 / FINGERS.length), new THREE.Vector3());
    hand.way = [...hand.way.filter((one) => time - one.time <= AVERAGED + 0.001), { time, point }];
    for (const [name, joint] of Object.entries(joints)) {
      const size = 0.85 * (joint.jointRadius ?? 0.008);
      this.#dots.setMatrixAt(this.#dots.count++, this.#matrix.makeScale(size, size, size).setPosition(at(name)));
    }
  }
}
