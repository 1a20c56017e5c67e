/** Instances of the Quantitative Verification Benchmark Set: `instances.json` lists models, constants, states and results. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One instance of each type that is quick, in the short form of CI. */
const SHORT_STATES = 10_000;

/** The jobs of a folder that holds an `instances.json`, smallest first. */
export function qvbsJobs(folder, { maxStates = Infinity, short = false } = {}) {
  const path = join(folder, 'instances.json');
  if (!existsSync(path)) throw new Error(`${path} is absent; a QVBS folder has one`);
  const instances = JSON.parse(readFileSync(path, 'utf8'));
  return instances
    .map((instance) => {
      const constants = Object.fromEntries(
        Object.entries(instance.constants ?? {}).map(([name, value]) => [name, String(value)]),
      );
      const shown = Object.entries(constants).map(([name, value]) => `${name}=${value}`);
      const { states, results = {}, propertyKinds = {} } = instance;
      const unpublished = Object.keys(propertyKinds).filter((name) => !(name in results));
      return {
        folder: instance.family ?? dirname(instance.model),
        title: [instance.model, ...(shown.length > 0 ? [shown.join(',')] : [])].join(' '),
        model: join(folder, instance.model),
        ...(instance.properties && { properties: join(folder, instance.properties) }),
        constants,
        states,
        published: results,
        unpublished,
        ...(states > maxStates && { skip: 'more states than --max-states allows' }),
      };
    })
    .sort((a, b) => (a.states ?? 0) - (b.states ?? 0))
    .filter(({ states }) => !short || states <= SHORT_STATES);
}
