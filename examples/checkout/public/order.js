const order = new URLSearchParams(location.search).get('order')
document.querySelector('input[name=order]').value = order
