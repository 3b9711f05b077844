import { fetchEarly } from '#web/shared/http/request.ts';
import { storedId, storedToken } from '#web/shared/http/session.ts';
import { settings } from '#web/shared/http/settings.ts';

/*
 * Requests what the owner's pages show first, seconds before the application has loaded on a slow
 * connection. Without the contract, which would bring the schema library.
 */
const id = storedId();
if (id !== null) {
  const url = `${settings().apiUrl}/user/${encodeURIComponent(id)}`;
  fetchEarly(url);
  fetchEarly(`${url}/appearance`, { authorization: storedToken() ?? '' });
}
