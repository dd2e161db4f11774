// Runs before the scripts of a page, a frame or a worker: makes clocks and chance repeatable, and reports
// to zoombench by a binding. A message is a letter: d document begins, i input arrives, + and - a decoding
// begins and ends, e error with its text.
(() => {
  'use strict'
  const tell = globalThis.zoombenchTell

  // All clocks except the date begin with the document and have whole milliseconds: input arrives some tens
  // of microseconds after the time that it is sent for, which differs from run to run.
  const clock = performance.now.bind(performance)
  const origin = clock()
  const rounded = time => Math.round(time - origin)
  performance.now = () => rounded(clock())
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp').get
  Object.defineProperty(Event.prototype, 'timeStamp', { get() { return rounded(stamp.call(this)) } })
  const frame = globalThis.requestAnimationFrame?.bind(globalThis)
  if (frame) globalThis.requestAnimationFrame = draw => frame(time => draw(rounded(time)))
  const date = Date.now.bind(Date)

  // Chance: the generator of Park and Miller (1988), whose products are exact.
  let seed = 40
  Math.random = () => (seed = seed * 16807 % 0x7FFFFFFF) / 0x7FFFFFFF

  // Decoding takes real time, while the page's clock stands.
  const countPromises = (owner, name) => {
    const real = owner?.[name]
    if (!real) return
    owner[name] = function (...inputs) {
      tell('+')
      const promise = real.apply(this, inputs)
      const end = () => tell('-')
      promise.then(end, end)
      return promise
    }
  }
  countPromises(globalThis, 'createImageBitmap')
  countPromises(globalThis.HTMLImageElement?.prototype, 'decode')

  if (typeof document === 'undefined') return
  for (const kind of ['pointerrawupdate', 'pointerdown', 'pointerup', 'pointercancel', 'wheel']) {
    addEventListener(kind, event => {
      if (event.isTrusted) tell('i')
    }, { capture: true, passive: true })
  }
  addEventListener('error', event => {
    // Files that fail to load have events of another type; the driver knows them from their answers.
    const file = event.filename?.split(/[?#]/)[0].split('/').pop()
    if (event instanceof ErrorEvent) tell(`e${event.message}${file && ` (${file}:${event.lineno})`}`)
  }, true)
  addEventListener('unhandledrejection', ({ reason }) => {
    // A viewer may stop a request or a decoding that it no longer needs.
    if (!(reason instanceof DOMException)) tell('e' + (reason?.message ?? String(reason)))
  })
  Object.defineProperty(Navigator.prototype, 'maxTouchPoints', { get: () => 5 })
  // Their requests and decodings cannot be watched.
  delete globalThis.SharedWorker
  const refusal = () => Promise.reject(new DOMException('no service workers', 'SecurityError'))
  if (globalThis.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = refusal

  // Returns whether the adapter says that the page is at rest, and the browser's own clock in milliseconds.
  globalThis.zoombenchRest = () => {
    const settled = globalThis.zoombench?.settled
    const isSettled = typeof settled === 'function' ? settled() : settled ?? true
    return [+!!isSettled, date()]
  }
  if (globalThis === top) tell('d')
})()
