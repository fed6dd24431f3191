// The board: a dark slab with the sun at its left end, four orbits with a slot each, and a tray at its near side.
import * as THREE from "three";
import { BOARD } from "./table.js";

const TOP = BOARD.thick;
export const SUN = { x: -0.2, z: -0.06, radius: 0.042 };
export const SLOTS = [-0.08, 0.02, 0.12, 0.22].map((x) => new THREE.Vector3(x, TOP, SUN.z));
export const TRAY = [-0.15, -0.05, 0.05, 0.15].map((x) => new THREE.Vector3(x, TOP, 0.105));
export const FREE = "#7f8db8", RIGHT = "#2ecc71", WRONG = "#e74c3c";

const painted = (width, height, paint) => {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  paint(canvas.getContext("2d"), width, height);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
};

/** The face of the board: a night sky with the orbits as arcs about the sun. */
const sky = () => painted(1120, 680, (pen, width, height) => {
  const scale = width / BOARD.width, at = (x, z) => [(x + BOARD.width / 2) * scale, (z + BOARD.depth / 2) * scale];
  const shade = pen.createRadialGradient(...at(SUN.x, SUN.z), 10, ...at(SUN.x, SUN.z), width);
  shade.addColorStop(0, "#3a2f5e");
  shade.addColorStop(0.3, "#1b2250");
  shade.addColorStop(1, "#0b1030");
  pen.fillStyle = shade;
  pen.fillRect(0, 0, width, height);
  for (let star = 0; star < 260; star++) {
    pen.fillStyle = `rgba(255,255,255,${0.15 + 0.6 * Math.random()})`;
    pen.fillRect(Math.random() * width, Math.random() * height, 1 + Math.random() * 2, 1 + Math.random() * 2);
  }
  pen.strokeStyle = "rgba(255,214,130,0.55)";
  pen.lineWidth = 3;
  for (const slot of SLOTS) {
    pen.beginPath();
    pen.arc(...at(SUN.x, SUN.z), (slot.x - SUN.x) * scale, -Math.PI / 2, Math.PI / 2);
    pen.stroke();
  }
  const [left, top] = at(-0.21, 0.055);
  pen.fillStyle = "rgba(8,11,34,0.85)";
  pen.strokeStyle = "rgba(160,176,230,0.6)";
  pen.beginPath();
  pen.roundRect(left, top, 0.42 * scale, 0.1 * scale, 40);
  pen.fill();
  pen.stroke();
  pen.strokeStyle = "rgba(255,206,84,0.9)";
  pen.lineWidth = 8;
  pen.strokeRect(4, 4, width - 8, height - 8);
});

const disc = (radius, paint) => new THREE.Mesh(new THREE.CircleGeometry(radius, 40).rotateX(-Math.PI / 2), paint);

const makeSun = () => {
  const sun = new THREE.Mesh(new THREE.SphereGeometry(SUN.radius, 40, 24), new THREE.MeshBasicMaterial({
    map: painted(256, 128, (pen, width, height) => {
      pen.fillStyle = "#ffb52e";
      pen.fillRect(0, 0, width, height);
      for (let spot = 0; spot < 500; spot++) {
        pen.fillStyle = ["#ffd45c55", "#ff8f1f55", "#fff0a855"][spot % 3];
        pen.beginPath();
        pen.arc(Math.random() * width, Math.random() * height, 2 + Math.random() * 9, 0, 7);
        pen.fill();
      }
    }) }));
  sun.name = "sun";
  sun.position.set(SUN.x, TOP + SUN.radius, SUN.z);
  const glow = new THREE.Sprite(new THREE.SpriteMaterial({ transparent: true, depthWrite: false, map: painted(128, 128, (pen) => {
    const shade = pen.createRadialGradient(64, 64, 20, 64, 64, 64);
    shade.addColorStop(0, "rgba(255,190,80,0.55)");
    shade.addColorStop(1, "rgba(255,150,40,0)");
    pen.fillStyle = shade;
    pen.fillRect(0, 0, 128, 128);
  }) }));
  glow.scale.setScalar(SUN.radius * 4.4);
  sun.add(glow);
  return sun;
};

export const makeBoard = () => {
  const group = new THREE.Group();
  group.name = "table-top";
  const edge = new THREE.MeshStandardMaterial({ color: "#141a3a", roughness: 0.6 });
  const face = new THREE.MeshStandardMaterial({ map: sky(), roughness: 0.75 });
  const slab = new THREE.Mesh(new THREE.BoxGeometry(BOARD.width, BOARD.thick, BOARD.depth), [edge, edge, face, edge, edge, edge]);
  slab.name = "board";
  slab.position.y = BOARD.thick / 2;
  const slots = SLOTS.map((place, index) => {
    const slot = disc(0.034, new THREE.MeshBasicMaterial({ color: FREE, transparent: true, opacity: 0.85 }));
    slot.name = `slot-${index + 1}`;
    slot.position.copy(place).setY(TOP + 0.0012);
    const well = disc(0.027, new THREE.MeshBasicMaterial({ color: "#10163a" }));
    well.position.y = 0.0006;
    slot.add(well);
    return slot;
  });
  const sun = makeSun();
  const light = new THREE.PointLight(0xffe2a8, 0.35, 0.9, 1.6);
  light.position.copy(sun.position).y += 0.06;
  group.add(slab, sun, light, ...slots);
  return { group, slab, sun, slots };
};
