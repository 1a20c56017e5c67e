import type { CompiledCommand } from './commands.js';
import type { Composition, ModuleCommand } from './composition.js';

/** Commands that are taken together or not at all; nearly always one. */
export type Bundle = readonly CompiledCommand[];

/** The alternatives of one action: one bundle of each part at once; the first part varies slowest. */
export interface Joint {
  /** Index among the actions of the model. */
  readonly action: number;
  readonly parts: readonly (readonly Bundle[])[];
}

/**
 * Turns a composition into joints, in the order of their choices. Drops alternatives that can never be taken, and joints
 * without alternatives.
 */
export function jointsOf(
  composition: Composition,
  action: number,
  compile: (command: ModuleCommand) => CompiledCommand,
): Joint[] {
  if (composition.kind === 'choice')
    return composition.parts.flatMap((part) => jointsOf(part, action, compile));
  const parts = composition.kind === 'commands' ? [composition] : composition.parts;
  const joint = { action, parts: parts.map((part) => bundlesOf(part, compile)) };
  return joint.parts.some((bundles) => bundles.length === 0) ? [] : [joint];
}

/** The alternatives of a part, expanded if it is itself composed. */
function bundlesOf(part: Composition, compile: (command: ModuleCommand) => CompiledCommand): Bundle[] {
  switch (part.kind) {
    case 'commands':
      return part.commands
        .map(compile)
        .filter(({ guard }) => !guard.never)
        .map((command) => [command]);
    case 'choice':
      return part.parts.flatMap((inner) => bundlesOf(inner, compile));
    case 'synchronised':
      return part.parts
        .map((inner) => bundlesOf(inner, compile))
        .reduce((left, right) => left.flatMap((first) => right.map((second) => [...first, ...second])));
  }
}
