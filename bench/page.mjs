// The card page and the owner's pages in a browser: on a slow line, and by Lighthouse.
import { execFileSync } from 'node:child_process';

import { runLighthouse } from './lighthouse.mjs';
import { measureCardPage } from './card-page.mjs';
import { measureShortcut } from './shortcut.mjs';
import { measureSlowLine } from './slow-line.mjs';

export async function measurePage(setup) {
  const service = await setup.startService({ cores: '0,1' });
  const card = `/user/${setup.ids[0]}`;
  const url = `${service.origin}${card}`;
  const session = sessionOf(setup.owners[0]);
  const curl = [
    '-s',
    '-o',
    '/dev/null',
    '-w',
    '%{size_download}',
    '-H',
    'accept-encoding: br',
    url,
  ];
  const documentBytes = Number(execFileSync('curl', curl, { encoding: 'utf8' }));
  const figures = {
    'page-document': documentBytes,
    ...(await measureCardPage(url)),
    ...(await measureSlowLine(service.origin, { session, card })),
    ...(await measureShortcut(service.origin, session)),
    ...runLighthouse(url, setup.folder),
  };
  await service.stop();
  return figures;
}

/** The entries of local storage that the browser of a signed-in owner has. */
function sessionOf({ id, token }) {
  return { signedIn: 'true', _id: id, sessionToken: token };
}
