import { useEffect, useState } from 'react';

/** Revoked when the blob changes and on unmount. */
export function useObjectUrl() {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => () => revoke(url), [url]);
  const setBlob = (blob: Blob | null) => setUrl(blob && URL.createObjectURL(blob));
  return [url, setBlob] as const;
}

function revoke(url: string | null): void {
  if (url !== null) URL.revokeObjectURL(url);
}
