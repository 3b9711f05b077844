import type { Translation } from '#domain/language/language.ts';
import type { View } from '#domain/view.ts';

/** Rendered by the build (web/prerender.tsx). */
export interface OwnerDocument {
  readonly paths: readonly string[];
  /** Sent only if that view is on. */
  readonly view?: View | undefined;
  /** Sent only if that view is off. */
  readonly placeholderOf?: View | undefined;
  /** Sent only in that language; in English by default. */
  readonly language?: Translation | undefined;
  /** Sent only with LANGUAGES. */
  readonly needsLanguages?: true | undefined;
  readonly title: string;
  /** Contains the placeholders. */
  readonly html: string;
  /** Those that only this document needs. */
  readonly styles?: readonly string[];
  readonly scripts: readonly string[];
  readonly preloads: readonly string[];
  /** Those that only the scripts after the first one load. */
  readonly latePreloads?: readonly string[];
  /** That the worker stores: what the page may load, also later. */
  readonly files: readonly string[];
}

export const PRODUCT_NAME_PLACEHOLDER = '%PRODUCT_NAME%';
export const LANGUAGE_LINKS_PLACEHOLDER = '%LANGUAGE_LINKS%';
