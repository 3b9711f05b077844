import { lazy, useState } from 'react';
import type { ComponentType } from 'react';

import { SECOND_MS } from '#domain/duration.ts';

/** docs/product.md#limits. */
const CHUNK_TIMEOUT_MS = 120 * SECOND_MS;

export interface PageModule {
  readonly Page: ComponentType;
}

/** After `preload` it renders at once, without a fallback. */
export function lazyPage(load: () => Promise<PageModule>) {
  let loaded: ComponentType | null = null;
  const preload = async () => {
    const { Page } = await withTimeout(load());
    loaded = Page;
    return { default: Page };
  };
  const Lazy = lazy(preload);

  function LazyPage() {
    const [Page] = useState(() => loaded ?? Lazy);
    return <Page />;
  }
  return { preload, Component: LazyPage };
}

async function withTimeout<Result>(loading: Promise<Result>): Promise<Result> {
  let timer = 0;
  const timeout = new Promise<never>((_, reject) => {
    timer = window.setTimeout(
      () => reject(new Error(`A page did not load within ${CHUNK_TIMEOUT_MS} ms`)),
      CHUNK_TIMEOUT_MS,
    );
  });
  return Promise.race([loading, timeout]).finally(() => window.clearTimeout(timer));
}
