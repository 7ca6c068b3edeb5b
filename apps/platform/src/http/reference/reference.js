const element = (name, text, children = []) => {
  const made = document.createElement(name)
  if (text) made.textContent = text
  made.append(...children)
  return made
}

let named = {}

const shapeOf = (schema) => {
  if (!schema) return 'any'
  if (schema.$ref) return shapeOf(named[schema.$ref.split('/').at(-1)])
  if (schema.anyOf ?? schema.oneOf) return (schema.anyOf ?? schema.oneOf).map(shapeOf)
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, shapeOf(value)]))
  if (schema.type === 'array') return [shapeOf(schema.items)]
  return [schema.type].flat().join(' | ') + (schema.pattern ? ` ${schema.pattern}` : '')
}

const schemaBlock = (title, content) => {
  const [[type, { schema } = {}] = []] = Object.entries(content ?? {})
  return [element('h4', `${title} (${type ?? 'nothing'})`), element('pre', JSON.stringify(shapeOf(schema), null, 2))]
}

const callBlock = (path, method, call) => {
  const rows = (call.parameters ?? []).map((parameter) =>
    element('tr', '', [
      element('td', parameter.name),
      element('td', parameter.in),
      element('td', parameter.required ? 'required' : 'optional'),
      element('td', JSON.stringify(shapeOf(parameter.schema))),
    ]),
  )
  const summary = element('summary', '', [
    element('span', method.toUpperCase()),
    element('code', path),
    element('span', ` ${call.summary ?? ''}`),
  ])
  summary.firstChild.className = 'method'
  const block = element('details', '', [summary])
  if (rows.length > 0) block.append(element('table', '', rows))
  if (call.requestBody) block.append(...schemaBlock('Body', call.requestBody.content))
  for (const [status, answer] of Object.entries(call.responses)) block.append(...schemaBlock(`Answer ${status}`, answer.content))
  block.dataset.words = `${method} ${path} ${call.summary ?? ''} ${call.tags ?? ''}`.toLowerCase()
  return block
}

const page = document.getElementById('calls')
try {
  const api = await (await fetch('/openapi.json')).json()
  named = api.components.schemas
  document.getElementById('about').textContent = `${api.info.title} ${api.info.version}. ${api.info.description}`
  const calls = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ tag: call.tags?.[0] ?? '', block: callBlock(path, method, call) })),
  )
  page.replaceChildren()
  for (const [tag, group] of Map.groupBy(calls, (call) => call.tag)) {
    page.append(element('section', '', [element('h2', tag), ...group.map(({ block }) => block)]))
  }
  document.getElementById('find').addEventListener('input', ({ target }) => {
    const wanted = target.value.trim().toLowerCase()
    for (const { block } of calls) block.hidden = !block.dataset.words.includes(wanted)
  })
} catch (error) {
  page.replaceChildren(element('p', `The document could not be read: ${error.message}`))
}
