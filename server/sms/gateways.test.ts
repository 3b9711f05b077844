import { expect, test } from 'vitest';

import { NoResponseError } from '#server/client/http-client.ts';
import { REDIRECTED_PATH, sendFailure } from '#tests/support/fake-failures.ts';
import { exampleEnvironment, sendError } from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { GatewayError } from './gateway.ts';
import { GATEWAY_NAMES } from './gateways.ts';

let failure: string;
const services = useFakeServices({
  '*': (_call, response) => void sendFailure(failure, response),
});

test.each(GATEWAY_NAMES.filter((name) => name !== 'console'))(
  'gateway %s: an error status, no response, a huge one or a redirect is an error without phone and code',
  async (name) => {
    services.calls.length = 0;
    const environment = exampleEnvironment(name, `${services.origin}/service`);
    failure = 'broken';
    expect(await sendError(environment)).toBeInstanceOf(GatewayError);
    for (failure of ['hang', 'huge', 'redirect'])
      expect(await sendError(environment)).toBeInstanceOf(NoResponseError);
    expect(services.calls.length).toBe(4);
    expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
  },
);
