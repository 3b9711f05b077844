/** A browser's cookies for one origin. */
export type Cookies = Map<string, string>;

export const cookieHeader = (cookies: Cookies) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

export function keepCookies(cookies: Cookies, header: string | readonly string[] | undefined) {
  for (const line of [header ?? []].flat()) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
    cookies.set(name, value);
  }
}
