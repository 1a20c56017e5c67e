import { BOTTOM, join, type Label } from './label.js';
import type { Term } from './terms.js';

/** The labels of a value and of its parts. */
export interface Labels {
  /** Of a text or a number: the value. Of a record or a list: its form, which is which fields there are, and how many elements. */
  readonly here: Label;
  readonly fields?: ReadonlyMap<string, Labels>;
  /** Of the elements that are told apart, in order. */
  readonly items?: readonly Labels[];
  /** Of an element, where readers depend on which it is. `null` stands for any element. */
  readonly element?: (element: Term | null) => Labels;
  /** Whether whoever may read an element may know that it is there, though the number of all is known to few. */
  readonly isApart?: boolean;
}

/** Labels of parts below this depth are joined. */
const MOST_DEPTH = 4;

export function everywhere(here: Label): Labels {
  return { here };
}

/** The label of a value with all its parts. */
export function whole(labels: Labels): Label {
  let label = labels.here;
  for (const field of labels.fields?.values() ?? []) label = join(label, whole(field));
  for (const item of labels.items ?? []) label = join(label, whole(item));
  return labels.element === undefined ? label : join(label, whole(labels.element(null)));
}

/** Labels of a part: of a field, or of an element. */
export function labelsAt(labels: Labels, key: string | number, term: Term): Labels {
  if (typeof key === 'string') return labels.fields?.get(key) ?? unknownPart(labels);
  return labels.items?.[key] ?? elementOf(labels, term);
}

/** Labels of an element of a list. */
export function elementOf(labels: Labels, element: Term | null): Labels {
  if (labels.element !== undefined) return labels.element(element);
  if (labels.items !== undefined && labels.items.length > 0) return labels.items.reduce(joinLabels);
  return unknownPart(labels);
}

/** A part of which no label is known apart has that of the whole. */
function unknownPart(labels: Labels): Labels {
  return everywhere(labels.here);
}

/** The labels with a further one at each part. */
export function raised(labels: Labels, label: Label): Labels {
  if (label === BOTTOM) return labels;
  return mapped(labels, (one) => join(one, label));
}

/** The labels with each label changed. */
export function mapped(labels: Labels, change: (label: Label) => Label): Labels {
  const { fields, items, element } = labels;
  return {
    ...labels,
    here: change(labels.here),
    ...(fields && { fields: new Map([...fields].map(([name, one]) => [name, mapped(one, change)])) }),
    ...(items && { items: items.map((one) => mapped(one, change)) }),
    ...(element && { element: (term: Term | null) => mapped(element(term), change) }),
  };
}

/** The labels of a value that has either labels. */
export function joinLabels(a: Labels, b: Labels): Labels {
  if (a.items !== undefined || b.items !== undefined || a.element !== undefined || b.element !== undefined) {
    return {
      here: join(a.here, b.here),
      element: (term) => joinLabels(elementOf(a, term), elementOf(b, term)),
      ...(a.fields || b.fields ? { fields: joinedFields(a, b) } : {}),
      isApart: a.isApart === true && b.isApart === true,
    };
  }
  const here = join(a.here, b.here);
  return a.fields || b.fields ? { here, fields: joinedFields(a, b) } : { here };
}

function joinedFields(a: Labels, b: Labels): ReadonlyMap<string, Labels> {
  const fields = new Map<string, Labels>();
  for (const name of new Set([...(a.fields?.keys() ?? []), ...(b.fields?.keys() ?? [])]))
    fields.set(
      name,
      joinLabels(a.fields?.get(name) ?? unknownPart(a), b.fields?.get(name) ?? unknownPart(b)),
    );
  return fields;
}

/** The labels of a list of these elements. */
export function ofList(here: Label, items: readonly Labels[]): Labels {
  return shallow({ here, items });
}

/** The labels of a record with these fields. */
export function ofRecord(here: Label, fields: ReadonlyMap<string, Labels>): Labels {
  return shallow({ here, fields });
}

function shallow(labels: Labels): Labels {
  return depthOf(labels) > MOST_DEPTH ? everywhere(whole(labels)) : labels;
}

function depthOf({ fields, items, element }: Labels): number {
  const parts = [...(fields?.values() ?? []), ...(items ?? []), ...(element ? [element(null)] : [])];
  return parts.reduce((most, one) => Math.max(most, 1 + depthOf(one)), 0);
}
