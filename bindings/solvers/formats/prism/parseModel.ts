import { NotSupportedError } from '../../../base/errors.js';
import { refuseUnknownOptions, requireText } from '../../../base/suggest.js';
import {
  type ConstantDeclaration,
  type FormulaDeclaration,
  type LabelDeclaration,
  PrismReader,
  readConstant,
  readExpression,
  readFormulaDeclaration,
  readLabel,
} from '../../../languages/logic/index.js';
import { checkNames } from './checkNames.js';
import { parseModule, parseVariable } from './parseModule.js';
import { parseRewards } from './parseRewards.js';
import { parseSystem } from './parseSystem.js';
import type {
  PrismModel,
  PrismModule,
  RewardDeclaration,
  SystemExpression,
  VariableDeclaration,
} from './prismModel.js';
import { type Renaming, renameModule } from './renameModule.js';

const typeWords: Readonly<Record<string, PrismModel['type']>> = {
  dtmc: 'dtmc',
  probabilistic: 'dtmc',
  mdp: 'mdp',
  nondeterministic: 'mdp',
  ctmc: 'ctmc',
  stochastic: 'ctmc',
};

const otherTypes = [
  'pomdp',
  'pta',
  'popta',
  'smg',
  'csg',
  'tsg',
  'stpg',
  'tptg',
  'lts',
  'ma',
  'ctmdp',
  'ipomdp',
];

/**
 * Parses a model in PRISM's language: `dtmc`, `mdp` and `ctmc`, with constants, formulas, labels, globals, modules (renamed ones
 * too), rewards, `init` and `system`. Names are resolved and types checked when the model is built.
 *
 * @param source the text of the model
 * @param options `name` is the text's name in messages
 * @throws ParseError with line, column, the line itself and a caret
 * @throws NotSupportedError for other types of model
 * @source PRISM manual, "The PRISM Language"
 */
export function parseModel(source: string, options: { name?: string } = {}): PrismModel {
  refuseUnknownOptions('parseModel', options, { name: true });
  requireText('parseModel', source);
  const { name = 'model' } = options;
  const reader = new PrismReader(source, name);
  const constants: ConstantDeclaration[] = [];
  const formulas: FormulaDeclaration[] = [];
  const labels: LabelDeclaration[] = [];
  const globals: VariableDeclaration[] = [];
  const parsed: (PrismModule | Renaming)[] = [];
  const rewards: RewardDeclaration[] = [];
  const systems = new Map<string, SystemExpression>();
  let type: PrismModel['type'] | undefined;
  let initial: PrismModel['initial'] = null;
  while (reader.token.kind !== 'end') {
    const { text, place, kind } = reader.token;
    if (kind !== 'identifier') throw reader.unexpected(topLevel);
    if (text in typeWords) {
      if (type !== undefined) throw reader.error('the type of the model is given twice');
      type = typeWords[reader.advance().text];
      continue;
    }
    switch (text) {
      case 'const':
      case 'rate':
      case 'prob':
        constants.push(readConstant(reader));
        break;
      case 'formula':
        formulas.push(readFormulaDeclaration(reader));
        break;
      case 'label':
        labels.push(readLabel(reader, false));
        break;
      case 'global':
        reader.advance();
        globals.push(parseVariable(reader));
        break;
      case 'module':
        parsed.push(parseModule(reader));
        break;
      case 'rewards':
        rewards.push(parseRewards(reader));
        break;
      case 'init':
        if (initial !== null) throw reader.error('the initial states are given twice');
        reader.advance();
        initial = readExpression(reader, false);
        reader.expectWord('endinit');
        break;
      case 'system': {
        const system = parseSystem(reader);
        if (systems.has(system.name)) throw reader.errorAt(place, 'this system is given twice');
        systems.set(system.name, system.expression);
        break;
      }
      default:
        if (otherTypes.includes(text) || text === 'observables' || text === 'observable') {
          throw new NotSupportedError(
            `${name}:${place.line}:${place.column}: '${text}' models are not supported; supported are dtmc and mdp, also with intervals of probabilities`,
          );
        }
        throw reader.unexpected(topLevel);
    }
  }
  if (parsed.length === 0) throw reader.error('the model has no module', 'module … endmodule');
  const modules = writeOut(reader, parsed, formulas);
  const system = resolveSystem(reader, systems);
  const declarations = { constants, formulas, labels, globals, modules, rewards, system, name, source };
  checkNames(reader, declarations);
  return { type: type ?? 'mdp', ...declarations, initial };
}

const topLevel = 'dtmc, mdp, ctmc, const, formula, label, global, module, rewards, init or system';

/** Renamed modules become modules; a renaming may refer to a module that is itself renamed or that comes later. */
function writeOut(
  reader: PrismReader,
  parsed: readonly (PrismModule | Renaming)[],
  formulas: readonly FormulaDeclaration[],
): PrismModule[] {
  const byName = new Map<string, PrismModule | Renaming>();
  for (const module of parsed) {
    if (byName.has(module.name)) {
      throw reader.errorAt(module.place, `there are two modules named ${module.name}`, 'another name');
    }
    byName.set(module.name, module);
  }
  const done = new Map<string, PrismModule>();
  const open = new Set<string>();
  const resolve = (module: PrismModule | Renaming): PrismModule => {
    if (!('base' in module)) return module;
    const known = done.get(module.name);
    if (known) return known;
    const base = byName.get(module.base);
    if (base === undefined) {
      throw reader.errorAt(
        module.place,
        `there is no module ${module.base} to rename`,
        [...byName.keys()].join(', '),
      );
    }
    if (open.has(module.name))
      throw reader.errorAt(module.place, `module ${module.name} is a renaming of itself`);
    open.add(module.name);
    const renamed = renameModule(reader, resolve(base), module, formulas);
    done.set(module.name, renamed);
    return renamed;
  };
  return parsed.map(resolve);
}

/** Resolves the unnamed system, or else the first one. Quoted names of other systems stand for their expressions. */
function resolveSystem(
  reader: PrismReader,
  systems: ReadonlyMap<string, SystemExpression>,
): SystemExpression | null {
  const used = new Set<string>();
  const resolve = (expression: SystemExpression): SystemExpression => {
    switch (expression.kind) {
      case 'module': {
        if (!expression.name.startsWith('"')) return expression;
        const { name, place } = expression;
        const other = systems.get(name.slice(1, -1));
        if (other === undefined) throw reader.errorAt(place, `there is no system ${name}`, known());
        // Modules take part only once: a system that is used twice or needs itself is always invalid.
        if (used.has(name)) throw reader.errorAt(place, `system ${name} is used twice, or needs itself`);
        used.add(name);
        return resolve(other);
      }
      case 'parallel':
        return { ...expression, operands: expression.operands.map(resolve) };
      default:
        return { ...expression, operand: resolve(expression.operand) };
    }
  };
  const known = (): string =>
    [...systems.keys()]
      .filter((name) => name !== '')
      .map((name) => `"${name}"`)
      .join(', ');
  const [first] = systems.keys();
  const start = systems.has('') ? '' : first;
  if (start === undefined) return null;
  used.add(`"${start}"`);
  return resolve(systems.get(start) as SystemExpression);
}
