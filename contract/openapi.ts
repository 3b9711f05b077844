import * as z from 'zod/mini';

import type { Endpoint } from './endpoint.ts';
import { API_ERRORS, apiErrorSchema } from './api-error.ts';
import type { ApiErrorCode } from './api-error.ts';

interface About {
  readonly title: string;
  /** The base address of the calls. */
  readonly server: string;
}

const JSON_TYPE = 'application/json';
const FAULT = '#/components/schemas/ApiError';
const SESSION = { session: [] };

/** The calls as an OpenAPI 3.1 document, made from nothing but the endpoints themselves. */
export function openApiDocument(endpoints: readonly Endpoint[], { title, server }: About) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: server }],
    paths,
    components: {
      schemas: { ApiError: { ...schema(apiErrorSchema, 'output'), description: faultWords() } },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The session token, as it is, without a word before it',
        },
      },
    },
  };
}

function operation(endpoint: Endpoint) {
  const isOpen = endpoint.access === 'open';
  const [, ...words] = endpoint.path.split('/').filter((part) => !part.startsWith(':'));
  return {
    operationId: `${endpoint.method.toLowerCase()}_${words.join('_') || 'user'}`,
    summary: endpoint.summary,
    security: isOpen ? [] : [SESSION],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...requestBody(endpoint),
    responses: {
      200: {
        description: 'Done',
        content: { [JSON_TYPE]: { schema: schema(endpoint.reply, 'output') } },
      },
      400: refusal('The input is not accepted'),
      403: refusal(isOpen ? 'Refused' : 'The session is missing, ended, or of another user'),
      ...(endpoint.body ? { 413: refusal('The body is too large') } : {}),
      429: refusal('Too many requests; see Retry-After'),
      503: refusal('Not available for the moment; see Retry-After'),
      default: refusal('Anything else that is not a success'),
    },
  };
}

function requestBody({ body }: Endpoint) {
  if (body === undefined) return {};
  const content =
    body === 'multipart'
      ? { 'multipart/form-data': { schema: PHOTO_FORM } }
      : { [JSON_TYPE]: { schema: schema(body, 'input') } };
  return { requestBody: { required: true, content } };
}

const PHOTO_FORM = {
  type: 'object',
  required: ['image', '_id'],
  properties: {
    _id: { type: 'string' },
    image: { type: 'string', contentMediaType: 'image/jpeg', description: 'A picture file' },
  },
};

function parameters(given: z.ZodMiniType | undefined, place: 'path' | 'query') {
  if (!given) return [];
  const { properties = {}, required = [] } = schema(given, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: one,
  }));
}

function refusal(description: string) {
  return { description, content: { [JSON_TYPE]: { schema: { $ref: FAULT } } } };
}

/** Rules that JSON Schema cannot say are left out: what passes here may still be a 400. */
function schema(given: z.ZodMiniType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(given, { io, unrepresentable: 'any' });
  return rest;
}

function faultWords(): string {
  const words = Object.keys(API_ERRORS) as ApiErrorCode[];
  return `error is one of: ${words.map((word) => `${word} (${API_ERRORS[word]})`).join(', ')}`;
}
