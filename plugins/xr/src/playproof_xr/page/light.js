// Lighting estimation, of which the emulator has nothing: the strongest light of the room, and spherical harmonics of the rest, where the
// user started. There is no picture of the surroundings to reflect.
const lighting = { told: xr.light };
const shine = (light) => {
  lighting.told = light;
};
const probes = new WeakMap(); // probe -> its space
class XRLightProbe extends EventTarget {
  get probeSpace() {
    return mapGet(probes, this);
  }
}
const estimates = new WeakMap();
const Point4 = DOMPointReadOnly;
class XRLightEstimate {
  get sphericalHarmonicsCoefficients() {
    return mapGet(estimates, this).harmonics;
  }
  get primaryLightDirection() {
    return mapGet(estimates, this).direction;
  }
  get primaryLightIntensity() {
    return mapGet(estimates, this).intensity;
  }
}
const estimateNow = () => {
  const { harmonics, direction, intensity } = lighting.told, estimate = new XRLightEstimate();
  mapSet(estimates, estimate, {
    harmonics: new Floats(harmonics), direction: new Point4(direction[0], direction[1], direction[2], 0),
    intensity: new Point4(intensity[0], intensity[1], intensity[2], 1),
  });
  return estimate;
};
const method = (type, name, value) => defineProperty(xrTypes[type].prototype, name, { value, writable: true, configurable: true });
const hasFeature = (session, name) => {
  const { enabledFeatures } = kept(session, "xr-session");
  for (let index = 0; index < enabledFeatures.length; index++) if (enabledFeatures[index] === name) return true;
  return false;
};
defineProperty(xrTypes, "XRLightProbe", { value: XRLightProbe, writable: true, configurable: true });
defineProperty(xrTypes, "XRLightEstimate", { value: XRLightEstimate, writable: true, configurable: true });
defineProperty(xrTypes.XRSession.prototype, "preferredReflectionFormat", { get: () => "srgba8", configurable: true });
method("XRSession", "requestLightProbe", function requestLightProbe() {
  if (!hasFeature(this, "light-estimation")) return NativePromise.reject(new Refusal("light-estimation was not asked for", "NotSupportedError"));
  const probe = new XRLightProbe();
  mapSet(probes, probe, deviceState.globalSpace);
  return NativePromise.resolve(probe);
});
method("XRFrame", "getLightEstimate", function getLightEstimate(probe) {
  if (!kept(this, "xr-frame").active) throw new Refusal("a frame tells of light while its callbacks run", "InvalidStateError");
  return mapGet(probes, probe) && lighting.told ? estimateNow() : null;
});
method("XRWebGLBinding", "getReflectionCubeMap", function getReflectionCubeMap() {
  return null;
});
