import type { View } from '#domain/view.ts';

/** A document of the owner's pages, rendered by the build (web/prerender.tsx). */
export interface OwnerDocument {
  readonly paths: readonly string[];
  /** The view that it is a part of. It is sent only if that view is on. */
  readonly view?: View | undefined;
  /** The view that it is the placeholder of. It is sent only if that view is off. */
  readonly placeholderOf?: View | undefined;
  readonly title: string;
  /** The page before its script runs. The product's name is PRODUCT_NAME_PLACEHOLDER. */
  readonly html: string;
  /** The paths of the style sheets that only this document needs. */
  readonly styles?: readonly string[];
  /** The first one loads before the others. */
  readonly scripts: readonly string[];
  /** The paths of the modules that the scripts load. */
  readonly preloads: readonly string[];
  /** The modules that only the scripts after the first one load. */
  readonly latePreloads?: readonly string[];
  /** The paths of all files that the page may load, immediately or later. */
  readonly files: readonly string[];
}

/** Stands for the product's name in a built document. */
export const PRODUCT_NAME_PLACEHOLDER = '%PRODUCT_NAME%';
