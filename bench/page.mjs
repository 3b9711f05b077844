// The card page and the owner's pages in a browser: on a slow line, and by Lighthouse.
import { execFileSync } from 'node:child_process';

import { lighthouse } from './lighthouse.mjs';
import { ownerPages } from './owner-pages.mjs';
import { slowLink } from './slow-link.mjs';

export async function measurePage(rig) {
  const service = await rig.startService({ cores: '0,1' });
  const url = `${service.origin}/user/${rig.ids[0]}`;
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
    ...(await slowLink(url)),
    ...(await ownerPages(service.origin, sessionOf(rig.owners[0]))),
    ...lighthouse(url, rig.folder),
  };
  await service.stop();
  return figures;
}

/** The entries of local storage that the browser of a signed-in owner has. */
function sessionOf({ id, token }) {
  return { signedIn: 'true', _id: id, sessionToken: token };
}
