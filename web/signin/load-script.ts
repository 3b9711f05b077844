const loading = new Map<string, Promise<void>>();

interface ScriptTag {
  readonly id: string;
  readonly url: string;
  /** Its data-… attributes. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Appends a script, once per page. After a failure the next call tries again. */
export function loadScript(tag: ScriptTag): Promise<void> {
  const known = loading.get(tag.id);
  if (known) return known;
  const started = appendScript(tag).catch((cause: unknown) => {
    loading.delete(tag.id);
    throw cause;
  });
  loading.set(tag.id, started);
  return started;
}

function appendScript({ id, url, data = {} }: ScriptTag): Promise<void> {
  document.getElementById(id)?.remove();
  const script = document.createElement('script');
  script.id = id;
  script.type = 'text/javascript';
  script.src = url;
  script.async = true;
  for (const [name, value] of Object.entries(data)) script.dataset[name] = value;
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${script.src} did not load`)));
    document.body.append(script);
  });
}
