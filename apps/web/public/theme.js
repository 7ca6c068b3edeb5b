try {
  const theme = localStorage.getItem('rackfair.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (localStorage.getItem('rackfair.locale') === 'zh') document.documentElement.lang = 'zh'
} catch {}
