// The card page in a browser: on a slow phone, and by Lighthouse.
import { execFileSync } from 'node:child_process';

import { lighthouse } from './lighthouse.mjs';
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
    ...lighthouse(url, rig.folder),
  };
  await service.stop();
  return figures;
}
