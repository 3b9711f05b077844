import * as z from 'zod/mini';

import type { Endpoint } from './endpoint.ts';
import { API_ERRORS, apiErrorSchema } from './api-error.ts';
import type { ApiErrorCode } from './api-error.ts';

const JSON_TYPE = 'application/json';
const ERROR_SCHEMA = '#/components/schemas/ApiError';
const SESSION = { session: [] };
const CHANGED_MEANWHILE = 'The card was changed meanwhile: the ETag in If-Match is not the newest';

export function openApiDocument(
  endpoints: readonly Endpoint[],
  { title, server }: { title: string; server: string },
) {
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
      schemas: {
        ApiError: { ...schema(apiErrorSchema, 'output'), description: describeErrorCodes() },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The session token itself, without a scheme such as Bearer',
        },
      },
    },
  };
}

function operation(endpoint: Endpoint) {
  const isOpen = endpoint.access === 'open';
  const [, ...names] = endpoint.path.split('/').filter((part) => !part.startsWith(':'));
  return {
    operationId: `${endpoint.method.toLowerCase()}_${names.join('_')}`,
    summary: endpoint.summary,
    security: isOpen ? [] : [SESSION],
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...headerParameters(endpoint),
    ],
    ...requestBody(endpoint),
    responses: {
      200: {
        description: 'Done',
        ...replyHeaders(endpoint),
        content: replyContent(endpoint),
      },
      400: errorResponse('The input is not accepted'),
      403: errorResponse(isOpen ? 'Rejected' : 'The session is missing, ended, or of another user'),
      ...(endpoint.requestHeaders?.['If-Match'] && { 412: errorResponse(CHANGED_MEANWHILE) }),
      ...(endpoint.body && { 413: errorResponse('The body is too large') }),
      429: errorResponse('Too many requests; see Retry-After'),
      503: errorResponse('Not available for the moment; see Retry-After'),
      default: errorResponse('Anything else that is not a success'),
    },
  };
}

function replyContent({ reply, replyType }: Endpoint) {
  return replyType === undefined
    ? { [JSON_TYPE]: { schema: schema(reply, 'output') } }
    : { [replyType]: { schema: { type: 'string', contentMediaType: replyType } } };
}

function replyHeaders({ replyHeaders: headers }: Endpoint) {
  if (headers === undefined) return {};
  const entries = Object.entries(headers).map(
    ([name, description]) => [name, { description, schema: { type: 'string' } }] as const,
  );
  return { headers: Object.fromEntries(entries) };
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

function parameters(input: z.ZodMiniType | undefined, location: 'path' | 'query') {
  if (!input) return [];
  const { properties = {}, required = [] } = schema(input, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: required.includes(name),
    schema: property,
  }));
}

function headerParameters({ requestHeaders = {} }: Endpoint) {
  return Object.entries(requestHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

function errorResponse(description: string) {
  return { description, content: { [JSON_TYPE]: { schema: { $ref: ERROR_SCHEMA } } } };
}

/** Omits rules that JSON Schema cannot express, and allows unknown keys in every object. */
function schema(type: z.ZodMiniType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(type, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return rest;
}

function describeErrorCodes(): string {
  const codes = Object.keys(API_ERRORS) as ApiErrorCode[];
  return `error is one of: ${codes.map((code) => `${code} (${API_ERRORS[code]})`).join(', ')}`;
}
