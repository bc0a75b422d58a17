/**
 * Whether an error of OpenSSL is an alert by which the picker refuses the certificate that it was shown, or misses one:
 * `ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED`, `sslv3 alert bad certificate`, `tlsv1 alert unknown ca`.
 */
export function isClientCertificateAlert(text: string): boolean {
  const [, alert = ""] = /alert([ _][\w ]*)/i.exec(text) ?? [];
  return /[ _](?:certificate|unknown[ _]ca)/i.test(alert);
}
