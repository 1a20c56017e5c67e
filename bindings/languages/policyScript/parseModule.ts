import { ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import type { Place } from '../expression/index.js';
import { ExpressionParser } from './parseExpressions.js';
import { type ScriptProblems, Unreadable } from './problems.js';
import type { Module, Statement, Taken, Target, Written, WrittenFunction, WrittenType } from './syntax.js';
import { tokenize } from './token.js';

/** Where the functions of scripts come from. */
const LIBRARY = 'foreguard/policy';

const LOOP = 'every, some or filter(…).length of a list';
/** Statements that are refused, with what to write instead. */
const REFUSED: Readonly<Record<string, string>> = {
  for: LOOP,
  while: LOOP,
  do: LOOP,
  let: 'const',
  var: 'const',
  switch: 'if (…) … else if (…) …',
  function: 'the condition itself, or a const that holds it',
  class: 'functions and consts',
  enum: "a union of texts: 'a' | 'b'",
  throw: "return deny('…')",
  try: "return deny('…'); what cannot be read is denied without it",
  async: 'function, as inputs are there before it runs',
  await: 'inputs, which are there before the function runs',
  break: 'return',
  continue: 'return',
  debugger: 'nothing',
  import: 'imports at the beginning of the file',
  export: 'one function in the file, not within another',
};
/** With these words something new begins. */
const BEGINNINGS = [
  'const',
  'if',
  'return',
  'export',
  'import',
  'interface',
  'type',
  ...Object.keys(REFUSED),
];

/**
 * Reads a script.
 *
 * @param library the names that a script may import from `foreguard/policy`: values, and types
 * @returns what could be read; all that is wrong is in `problems`
 */
export function parseModule(source: string, library: Library, problems: ScriptProblems): Module | null {
  try {
    return new ModuleParser(tokenize(source, problems), library, problems).module();
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

export interface Library {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

class ModuleParser extends ExpressionParser {
  readonly #imported = new Map<string, Place>();
  readonly #importedTypes = new Set<string>();
  readonly #types = new Map<string, WrittenType>();
  readonly #consts: (Statement & { readonly kind: 'const' })[] = [];
  readonly #functions: WrittenFunction[] = [];
  readonly #library: Library;

  constructor(
    tokens: ConstructorParameters<typeof ExpressionParser>[0],
    library: Library,
    problems: ScriptProblems,
  ) {
    super(tokens, problems);
    this.#library = library;
  }

  module(): Module {
    while (this.token.kind !== 'end') this.#recovering(() => this.#topLevel());
    return {
      imported: this.#imported,
      importedTypes: this.#importedTypes,
      types: this.#types,
      consts: this.#consts,
      functions: this.#functions,
    };
  }

  /** Reads a statement; after an error it goes on with the next. */
  #recovering(read: () => void): void {
    const start = this.token;
    try {
      read();
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      this.#skipStatement(this.token === start);
    }
  }

  #skipStatement(isStuck: boolean): void {
    if (isStuck && !this.at('(', '[', '{')) this.advance();
    while (this.token.kind !== 'end' && !this.at('}')) {
      if (this.take(';')) return;
      if (this.token.afterLine && this.atWord(...BEGINNINGS)) return;
      const hasBody = this.at('{');
      if (this.at('(', '[', '{')) this.skipBrackets();
      else this.advance();
      if (hasBody && this.token.afterLine) return;
    }
  }

  /** As in TypeScript, a line end ends a statement, too. */
  #endStatement(): void {
    if (this.take(';') || this.at('}') || this.token.kind === 'end' || this.token.afterLine) return;
    throw this.unexpected('";", or the end of the line');
  }

  #topLevel(): void {
    if (this.take(';')) return;
    if (this.takeWord('import')) {
      this.#import();
      return;
    }
    const { place } = this.token;
    const isExported = this.takeWord('export');
    if (this.atWord('interface', 'type') && this.ahead(1).kind === 'name') {
      this.#declaration();
      return;
    }
    if (this.takeWord('const')) {
      this.#consts.push(this.#const(place));
      return;
    }
    if (isExported && this.takeWord('function')) {
      this.#functions.push(this.#function());
      return;
    }
    if (this.atWord('function'))
      throw this.errorAt(
        place,
        'a function that is not exported',
        'export function, or its condition in a const',
      );
    this.#refuse('import, interface, type, const or export function');
  }

  #import(): void {
    const { place } = this.last;
    const isType = this.takeWord('type');
    if (!this.at('{')) throw this.unexpected(`{ permit, deny, … } from '${LIBRARY}'`);
    this.advance();
    const names: { readonly name: string; readonly place: Place; readonly isType: boolean }[] = [];
    while (!this.take('}')) {
      const isOwnType = this.atWord('type') && this.ahead(1).kind === 'name' && this.takeWord('type');
      const { text, place } = this.newName('a name');
      if (this.atWord('as')) throw this.unexpected('the name as it is, without "as"');
      names.push({ name: text, place, isType: isType || isOwnType });
      if (!this.take(',') && !this.at('}')) throw this.unexpected('"," or "}"');
    }
    if (!this.takeWord('from')) throw this.unexpected('from');
    const { kind, value } = this.token;
    if (kind !== 'string') throw this.unexpected(`'${LIBRARY}'`);
    this.advance();
    this.#endStatement();
    if (value !== LIBRARY) {
      if (names.some((one) => !one.isType))
        throw this.errorAt(place, `an import of ${JSON.stringify(value)}`, `'${LIBRARY}', or import type`);
      for (const { name } of names) this.#importedTypes.add(name);
    } else for (const one of names) this.#importName(one);
  }

  #importName({ name, place, isType }: { name: string; place: Place; isType: boolean }): void {
    const { values, types } = this.#library;
    if (types.includes(name)) {
      this.#importedTypes.add(name);
      return;
    }
    const known = isType ? types : values;
    if (!known.includes(name)) {
      const nearest = nearestName(name, isType ? types : [...values, ...types]);
      this.problems.add(
        place,
        `"${name}", which ${LIBRARY} has not`,
        nearest ?? `one of ${known.join(', ')}`,
      );
    } else if (this.#imported.has(name)) this.problems.add(place, `"${name}" a second time`, 'it once');
    this.#imported.set(name, place);
  }

  #declaration(): void {
    const isInterface = this.advance().text === 'interface';
    const { text, place } = this.newName('the name of a type');
    if (this.#types.has(text)) this.problems.add(place, `a second type "${text}"`, 'another name');
    if (isInterface && !this.at('{')) throw this.unexpected('"{"');
    if (!isInterface) this.expectSymbol('=');
    this.#types.set(text, this.type());
    if (!isInterface) this.#endStatement();
  }

  #function(): WrittenFunction {
    if (this.at('*')) throw this.unexpected('a function without "*"');
    const { text: name, place } = this.newName('the name of the function');
    if (this.at('<')) throw this.unexpected('"(", as policies have no type parameters');
    this.expectSymbol('(');
    const parameterPlace = this.token.place;
    const parameter = this.#target();
    if (!this.take(':')) throw this.unexpected('the type of the inputs, as in (inputs: Inputs)');
    const type = this.type();
    this.take(',');
    if (!this.take(')')) throw this.unexpected('")", as a policy has one parameter');
    if (this.take(':')) {
      const result = this.type();
      if (result.kind !== 'name' || result.name !== 'Decision')
        this.problems.add(result.place, 'another type of result', `Decision, imported from '${LIBRARY}'`);
      else if (!this.#importedTypes.has('Decision'))
        this.problems.add(
          result.place,
          '"Decision", which is not imported',
          `import { type Decision } from '${LIBRARY}'`,
        );
    }
    const body = this.#block();
    return { name, place, parameter, parameterPlace, type, body, end: this.last.place };
  }

  #block(): Statement[] {
    this.expectSymbol('{');
    const statements: Statement[] = [];
    while (!this.take('}')) {
      if (this.token.kind === 'end') throw this.unexpected('"}"');
      this.#recovering(() => {
        const statement = this.#statement();
        if (statement !== null) statements.push(statement);
      });
    }
    return statements;
  }

  #statement(): Statement | null {
    return this.deeper(() => {
      const { place } = this.token;
      if (this.take(';')) return null;
      if (this.at('{')) return { kind: 'block', body: this.#block(), place };
      if (this.takeWord('const')) return this.#const(place);
      if (this.takeWord('if')) return this.#if(place);
      if (this.takeWord('return')) {
        if (this.token.afterLine || this.at(';', '}'))
          throw this.errorAt(
            place,
            'a return without a decision',
            "return permit() or return deny('…'), on one line",
          );
        const value = this.expression();
        this.#endStatement();
        return { kind: 'return', value, place };
      }
      this.#refuse('const, if or return');
      return null;
    });
  }

  /** Records what is no statement of the language, and passes over it. */
  #refuse(expected: string): void {
    const { kind, text, place } = this.token;
    if (kind === 'name' && Object.hasOwn(REFUSED, text))
      throw this.errorAt(place, `"${text}"`, REFUSED[text]);
    if (kind !== 'name' && !this.at('(', '[', '!', '-', '++', '--')) throw this.unexpected(expected);
    const count = this.problems.found.length;
    this.expression();
    if (this.problems.found.length === count) this.problems.add(place, 'an expression by itself', expected);
    this.#endStatement();
  }

  #const(place: Place): Statement & { readonly kind: 'const' } {
    const target = this.#target();
    const type = this.take(':') ? this.type() : null;
    if (!this.take('=')) throw this.unexpected('"=" and a value');
    const value = this.expression();
    if (this.at(',')) throw this.unexpected('";", and another const for the next name');
    this.#endStatement();
    return { kind: 'const', target, type, value, place };
  }

  #target(): Target {
    if (!this.take('{')) return this.newName('a name, or { names } of inputs').text;
    const taken: Taken[] = [];
    while (!this.take('}')) {
      const { kind, text, place } = this.token;
      if (kind !== 'name') throw this.unexpected('the name of an input');
      this.advance();
      const as = this.take(':') ? this.newName('a name for the input').text : text;
      if (this.isReserved(as))
        throw this.errorAt(place, `the name "${as}"`, `another name: { ${text}: other }`);
      if (this.at('='))
        throw this.unexpected(`no default: an input that is absent is null; write ${as} ?? …`);
      taken.push({ field: text, as, place });
      if (!this.take(',') && !this.at('}')) throw this.unexpected('"," or "}"');
    }
    return taken;
  }

  #if(place: Place): Statement {
    this.expectSymbol('(');
    const condition: Written = this.expression();
    this.expectSymbol(')');
    const branch = (): readonly Statement[] => {
      if (this.at('{')) return this.#block();
      const statement = this.#statement();
      if (statement?.kind === 'const')
        this.problems.add(statement.place, '"const" without braces', '{ … } around it');
      return statement === null ? [] : [statement];
    };
    const then = branch();
    const otherwise = this.takeWord('else') ? branch() : [];
    return { kind: 'if', condition, then, otherwise, place };
  }
}
