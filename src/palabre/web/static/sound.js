// @ts-check
// Sounds, made here: a soft tick for what lands, two notes for a turn, three for an end. They are off by default, and
// `sound` in settings.js loads this.

/** @type {AudioContext | null} */
let context = null;

/** Something has landed. */
export function tick() {
  note(420, 0, 0.05, 0.12);
}

/** It is the reader's turn. */
export function turn() {
  note(520, 0, 0.09, 0.1);
  note(660, 0.1, 0.12, 0.1);
}

/** The game has ended. */
export function end() {
  for (const [at, pitch] of [520, 660, 780].entries()) note(pitch, at * 0.14, 0.2, 0.1);
}

/**
 * A note of a pitch in hertz, after some seconds, fading away. Browsers let a page sound only once it was clicked.
 *
 * @param {number} pitch
 * @param {number} after
 * @param {number} seconds
 * @param {number} loudness
 */
function note(pitch, after, seconds, loudness) {
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  const begin = context.currentTime + after;
  const tone = new OscillatorNode(context, { frequency: pitch, type: "triangle" });
  const volume = new GainNode(context, { gain: loudness });
  volume.gain.setValueAtTime(loudness, begin);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + seconds);
}
