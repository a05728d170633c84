// htmx would write a style element into the page, which the content security policy forbids.
window.htmx.config.includeIndicatorStyles = false;
