import * as THREE from "three";
import * as xb from "xrblocks";

class Planner extends xb.Script {
  init() {
    this.add(new THREE.HemisphereLight(0xffffff, 0x888888, 3));
  }
}

xb.add(new Planner());
const options = new xb.Options();
options.enableHands();
options.enablePlaneDetection();
xb.init(options);
