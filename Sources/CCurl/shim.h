// libcurl's options are set by one variadic function, which Swift cannot call: one wrapper for each kind.
#pragma once
#include <curl/curl.h>

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
typedef size_t (*ccurl_writer)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode ccurl_set_writer(CURL *handle, CURLoption option, ccurl_writer writer) {
  return curl_easy_setopt(handle, option, writer);
}
// Calls a function when a request is about to be sent; a libcurl before 7.80 never calls it.
static inline void ccurl_set_before_request(
    CURL *handle, int (*listener)(void *, char *, char *, int, int), void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
  curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, listener);
  curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
#endif
}
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ccurl_get_time(CURL *handle, CURLINFO info, curl_off_t *microseconds) {
  return curl_easy_getinfo(handle, info, microseconds);
}
static inline CURLcode ccurl_get_string(CURL *handle, CURLINFO info, char **value) {
  return curl_easy_getinfo(handle, info, value);
}

// CURLOPT_PROTOCOLS_STR came with 7.85, when CURLOPT_PROTOCOLS was deprecated. The library that runs may be older than the
// headers, so its answer counts.
static inline CURLcode ccurl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}
