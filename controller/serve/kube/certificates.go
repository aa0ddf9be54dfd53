package kube

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

const (
	// certificateLifetime is the validity of certificates. If less than renewBefore
	// remains at start, new ones are made.
	certificateLifetime = 5 * 365 * 24 * time.Hour
	renewBefore         = 30 * 24 * time.Hour
)

// newCertificates creates a certificate authority and a server certificate that
// it signs.
func newCertificates(now time.Time) (a access, err error) {
	authority := template("idumb-ca", now)
	authority.IsCA, authority.KeyUsage = true, x509.KeyUsageCertSign
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return a, err
	}
	if a.CA, err = certificate(authority, authority, signer, signer); err != nil {
		return a, err
	}
	server := template("idumb", now)
	server.KeyUsage, server.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	server.IPAddresses, server.DNSNames = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, []string{"localhost"}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return a, err
	}
	if a.Certificate, err = certificate(server, authority, key, signer); err != nil {
		return a, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	a.Key = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	return a, err
}

// template returns the fields that both certificates share. name is the subject.
func template(name string, now time.Time) *x509.Certificate {
	var serial [16]byte
	rand.Read(serial[:])
	serial[0] &= 0x7f // a serial number is positive
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(serial[:]), Subject: pkix.Name{CommonName: name, Organization: []string{"idumb"}},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certificateLifetime), BasicConstraintsValid: true,
	}
}

// certificate returns a certificate as PEM, for key, signed by the authority by with its key
// signer.
func certificate(of, by *x509.Certificate, key, signer *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.CreateCertificate(rand.Reader, of, by, &key.PublicKey, signer)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), err
}

// isValid reports whether the keys match and remain valid for renewBefore.
func isValid(a *access, now time.Time) bool {
	pair, err := tls.X509KeyPair(a.Certificate, a.Key)
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(a.CA) {
		return false
	}
	_, err = pair.Leaf.Verify(x509.VerifyOptions{Roots: pool, CurrentTime: now.Add(renewBefore), DNSName: "127.0.0.1"})
	return err == nil
}
