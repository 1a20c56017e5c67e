import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../shared.js';
import { car, drive, type Json, readDrive } from './drives.js';

/** The first step of two frames with these obstacles, `truth` having more. */
async function read(obsList: Json[], truth: Json) {
  const { steps, unknown, notes } = await readDrive(
    drive({ frames: 2, obstacles: () => obsList, change: (frame) => Object.assign(frame.truth, truth) }),
  );
  return { state: steps[0].state, unknown, notes };
}

const at = (distToEgo: number, more: Json = {}): Json => car(50, { distToEgo, ...more });

describe('a frame that contradicts itself about vehicles', () => {
  it.each<[string, Json[], Json, string]>([
    ['names none, and lists one', [at(12)], { NearestNPC: null }, 'NearestNPC'],
    ['names none ahead, and lists one there', [at(46)], { NPCAhead: null }, 'NPCAhead'],
    [
      'names no oncoming one, and lists one',
      [at(9, { position: { x: 12, y: 0 }, theta: Math.PI })],
      { NPCOpposite: null },
      'NPCOpposite',
    ],
    [
      'names one, and lists a nearer one',
      [at(40), at(12, { name: 'npc2' })],
      { NearestNPC: 'npc1' },
      'NearestNPC',
    ],
    [
      'names none, and lists one at a distance that is no number',
      [at(Number.NaN)],
      { NearestNPC: null },
      'NearestNPC',
    ],
    [
      'names none and lists none, at the least distance',
      [],
      { NearestNPC: null, minDistToEgo: 12 },
      'NearestNPC',
    ],
    ['lists none, at the least distance', [], { minDistToEgo: 12 }, 'NearestNPC'],
    [
      'names none without a list, at the least distance',
      [],
      { NearestNPC: null, minDistToEgo: 3, obsList: null },
      'NearestNPC',
    ],
  ])('lacks what is in doubt: %s', async (_, obsList, truth, role) => {
    const { state, unknown, notes } = await read(obsList, truth);
    const [distance, speed] = {
      NearestNPC: ['NearestNPCAhead', 'NearestNPCspeed'],
      NPCAhead: ['NPCAheadAhead', 'NPCAheadspeed'],
      NPCOpposite: ['NPCOppositeAhead', 'NPCOppositespeed'],
    }[role as 'NPCAhead'];
    expect(state).not.toHaveProperty(distance);
    expect(state).not.toHaveProperty(speed);
    expect(unknown[distance]).toMatch(new RegExp(`^truth\\.${role} is .*; (obsList lists|minDistToEgo is)`));
    expect(notes.join()).toContain(unknown[distance]);
  });

  it.each<[string, Json[], Json, Json]>([
    [
      'the nearest is named',
      [at(40), at(12, { name: 'npc2' })],
      { NearestNPC: 'npc2', minDistToEgo: 12 },
      12,
    ],
    ['the vehicle is as far as LawBreaker looks', [at(230)], { NearestNPC: null, minDistToEgo: 200 }, 200],
    [
      'the least distance is a pedestrian’s',
      [at(8, { type: 3 })],
      { NearestNPC: null, minDistToEgo: 8 },
      200,
    ],
    ['nothing is there', [], { NearestNPC: null, minDistToEgo: 200 }, 200],
    ['what is listed may be no vehicle', [at(8, { type: 0 })], { NearestNPC: null, minDistToEgo: 8 }, 200],
  ])('is believed where it does not: %s', async (_, obsList, truth, distance) => {
    expect((await read(obsList, truth)).state.NearestNPCAhead).toBe(distance);
  });
});

sharedData('apollo/trace.json', (path) => {
  it('lacks the nearest vehicle in the frames of which it is taken away, and those alone', async () => {
    const recording: Json = JSON.parse(readFileSync(path, 'utf8').replaceAll(/\bNaN\b/g, 'null'));
    const { steps: before } = await readDrive(recording);
    for (const { truth } of recording.trace) truth.NearestNPC = null;
    const { steps, unknown } = await readDrive(recording);
    steps.forEach(({ state }, i) => {
      const lists = recording.trace[i].truth.obsList.length > 0;
      expect(state.NearestNPCAhead, `frame ${i}`).toBe(lists ? undefined : before[i].state.NearestNPCAhead);
    });
    expect(unknown.NearestNPCAhead).toContain('in 29 of 68 frames');
  });
});
