// An emulated headset (Meta's IWER) in the page, before its own scripts: somebody 1.6 m tall with two hands, in a living room.
(() => {
  const device = new IWER.XRDevice(IWER.metaQuest3, { stereoEnabled: false });
  device.installRuntime({ forceInstall: true });
  device.installSEM(IWER_SEM.SyntheticEnvironmentModule);
  device.sem.loadEnvironment(ROOM);
  device.position.set(0, 1.6, 0);
  device.primaryInputMode = "hand";
  const told = { mode: null, refused: null, frames: 0, inputs: 0 };
  const request = navigator.xr.requestSession.bind(navigator.xr);
  navigator.xr.requestSession = async (mode, wanted) => {
    try {
      const session = await request(mode, wanted);
      told.mode = mode;
      const count = () => {
        told.frames++;
        told.inputs = session.inputSources.length;
        session.requestAnimationFrame(count);
      };
      session.requestAnimationFrame(count);
      return session;
    } catch (fault) {
      told.refused = String(fault);
      throw fault;
    }
  };
  window.__headset = { device, told };
})();
