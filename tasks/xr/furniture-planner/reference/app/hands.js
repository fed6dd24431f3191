// Both hands as XR Blocks gives them: the same index is a controller (what is selected) and a hand (where the joints are).
import * as THREE from "three";
import * as xb from "xrblocks";

export class Hand {
  tracked = false;
  pinching = false;
  pinched = false; // began in this frame
  point = new THREE.Vector3(); // half way between the tips of thumb and index finger

  constructor(index) {
    this.index = index;
  }

  update() {
    const controller = xb.core.input.controllers[this.index], joints = xb.core.input.hands[this.index]?.joints;
    const was = this.pinching;
    this.tracked = Boolean(controller?.userData.connected && joints?.wrist?.visible);
    this.pinching = this.tracked && controller.userData.selected === true;
    this.pinched = this.pinching && !was;
    if (!this.tracked) return;
    const at = (name) => joints[name].getWorldPosition(new THREE.Vector3());
    this.point.lerpVectors(at("thumb-tip"), at("index-finger-tip"), 0.5);
  }
}
