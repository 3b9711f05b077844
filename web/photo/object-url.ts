import { useEffect, useState } from 'react';

/** An address for bytes that this page holds, given back when they change or nobody shows them. */
export function useObjectUrl() {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => () => release(url), [url]);
  const show = (blob: Blob | null) => setUrl(blob && URL.createObjectURL(blob));
  return [url, show] as const;
}

function release(url: string | null): void {
  if (url !== null) URL.revokeObjectURL(url);
}
