import { ScriptCursor } from './cursor.js';
import type { WrittenField, WrittenType } from './syntax.js';

/** Reads types: names, texts, unions, lists and objects. */
export abstract class TypeParser extends ScriptCursor {
  type(): WrittenType {
    return this.deeper(() => {
      const { place } = this.token;
      this.take('|');
      const of = [this.#listType()];
      while (this.take('|')) of.push(this.#listType());
      return of.length === 1 ? of[0] : { kind: 'union', of, place };
    });
  }

  #listType(): WrittenType {
    this.takeWord('readonly');
    const { place } = this.token;
    let found = this.#plainType();
    for (let length = 0; this.at('[') && !this.token.afterLine; this.requireShort(++length)) {
      this.advance();
      this.expectSymbol(']');
      found = { kind: 'array', of: found, place };
    }
    return found;
  }

  #plainType(): WrittenType {
    const { kind, text, value, place } = this.token;
    if (kind === 'string') {
      this.advance();
      return { kind: 'literal', value: String(value), place };
    }
    if (this.at('{')) return this.#objectType();
    if (this.take('(')) {
      const inner = this.type();
      this.expectSymbol(')');
      return inner;
    }
    if (kind !== 'name') throw this.unexpected('a type');
    this.advance();
    if (text === 'any' || text === 'unknown') {
      this.problems.add(place, `the type ${text}`, 'the type of the value');
      return { kind: 'wrong', place };
    }
    if (!this.take('<')) return { kind: 'name', name: text, place };
    const of = this.type();
    this.expectSymbol('>');
    if (text === 'Array' || text === 'ReadonlyArray') return { kind: 'array', of, place };
    this.problems.add(place, `the type ${text}<…>`, 'an object of string, number, boolean, texts or lists');
    return { kind: 'wrong', place };
  }

  #objectType(): WrittenType {
    const { place } = this.expectSymbol('{');
    const fields: WrittenField[] = [];
    while (!this.take('}')) {
      if (this.token.kind === 'end') throw this.unexpected('"}"');
      fields.push(this.#field());
      if (!this.take(';') && !this.take(',') && !this.at('}') && !this.token.afterLine)
        throw this.unexpected('";" or "}"');
    }
    return { kind: 'object', fields, place };
  }

  #field(): WrittenField {
    if (this.atWord('readonly') && this.ahead(1).kind === 'name') this.advance();
    const { kind, text, place } = this.token;
    if (kind !== 'name') throw this.unexpected('the name of an input');
    this.advance();
    if (this.at('?')) {
      this.problems.add(this.token.place, '"?"', `${text}: T | null, as an input that is absent is null`);
      this.advance();
    }
    this.expectSymbol(':');
    return { name: text, type: this.type(), place };
  }
}
