import type { View } from '#domain/view.ts';

/** Rendered by the build (web/prerender.tsx). */
export interface OwnerDocument {
  readonly paths: readonly string[];
  /** Sent only if that view is on. */
  readonly view?: View | undefined;
  /** Sent only if that view is off. */
  readonly placeholderOf?: View | undefined;
  readonly title: string;
  /** Contains PRODUCT_NAME_PLACEHOLDER. */
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
