import { printPrismExpression } from '../../../languages/logic/index.js';
import type {
  Command,
  PrismModel,
  PrismModule,
  RewardDeclaration,
  SystemExpression,
  Update,
  VariableDeclaration,
} from './prismModel.js';

/**
 * Prints a model in PRISM's language, with renamed modules written out and without comments. Parsing the text gives the same
 * model (a law of `test/laws`).
 */
export function printModel(model: PrismModel): string {
  const expression = printPrismExpression;
  const blocks = [
    model.type,
    lines(
      model.constants.map(
        ({ name, type, value }) => `const ${type} ${name}${value ? ` = ${expression(value)}` : ''};`,
      ),
    ),
    lines(model.formulas.map((formula) => `formula ${formula.name} = ${expression(formula.expression)};`)),
    lines(model.globals.map((variable) => `global ${printVariable(variable)}`)),
    ...model.modules.map(printModule),
    lines(model.labels.map((label) => `label "${label.name}" = ${expression(label.expression)};`)),
    ...model.rewards.map(printRewards),
    model.initial ? `init\n  ${expression(model.initial)}\nendinit` : '',
    model.system ? `system\n  ${printSystem(model.system)}\nendsystem` : '',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function lines(texts: readonly string[]): string {
  return texts.join('\n');
}

function printVariable({ name, type, low, high, initial }: VariableDeclaration): string {
  const range = low && high ? `[${printPrismExpression(low)}..${printPrismExpression(high)}]` : type;
  return `${name} : ${range}${initial ? ` init ${printPrismExpression(initial)}` : ''};`;
}

function printModule({ name, variables, commands }: PrismModule): string {
  return lines([
    `module ${name}`,
    ...variables.map((variable) => `  ${printVariable(variable)}`),
    ...commands.map((command) => `  ${printCommand(command)}`),
    'endmodule',
  ]);
}

function printCommand({ action, guard, updates }: Command): string {
  return `[${action ?? ''}] ${printPrismExpression(guard)} -> ${updates.map(printUpdate).join(' + ')};`;
}

function printUpdate({ probability, assignments }: Update): string {
  const what = assignments.map(({ variable, value }) => `(${variable}'=${printPrismExpression(value)})`);
  const outcome = what.length > 0 ? what.join(' & ') : 'true';
  if (probability === null) return outcome;
  return probability.kind === 'interval'
    ? `[${printPrismExpression(probability.lower)},${printPrismExpression(probability.upper)}] : ${outcome}`
    : `${printPrismExpression(probability)} : ${outcome}`;
}

function printRewards({ name, items }: RewardDeclaration): string {
  return lines([
    `rewards${name === '' ? '' : ` "${name}"`}`,
    ...items.map(({ kind, action, guard, value }) => {
      const which = kind === 'transition' ? `[${action ?? ''}] ` : '';
      return `  ${which}${printPrismExpression(guard)} : ${printPrismExpression(value)};`;
    }),
    'endrewards',
  ]);
}

function printSystem(system: SystemExpression): string {
  switch (system.kind) {
    case 'module':
      return system.name;
    case 'parallel': {
      const { operands, actions } = system;
      const bars = actions === 'shared' ? '||' : actions.length === 0 ? '|||' : `|[${actions.join(',')}]|`;
      return operands.map(printOperand).join(` ${bars} `);
    }
    case 'hide':
      return `${printOperand(system.operand)}/{${system.actions.join(',')}}`;
    case 'rename': {
      const pairs = [...system.actions].map(([from, to]) => `${from}<-${to}`);
      return `${printOperand(system.operand)}{${pairs.join(',')}}`;
    }
  }
}

function printOperand(system: SystemExpression): string {
  return system.kind === 'parallel' ? `(${printSystem(system)})` : printSystem(system);
}
