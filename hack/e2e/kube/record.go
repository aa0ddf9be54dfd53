package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/idumb-dev/idumb/controller/serve/kube"
)

// request is one line of a recording.
type request struct {
	Method      string `json:"method"`
	Path        string `json:"path"`
	Accept      string `json:"accept,omitempty"`
	ContentType string `json:"contentType,omitempty"`
	Body        []byte `json:"body,omitempty"`
	Code        int    `json:"code"` // status code of the answer
}

// recorder is a proxy between a client and the API that records requests.
type recorder struct {
	file   *os.File
	server *http.Server

	mu        sync.Mutex
	requested map[string]bool
	err       error
}

// newRecorder redirects the client of a kubeconfig to the recorder, which uses the API's
// certificate.
func newRecorder(root, kubeconfig, file string) (*recorder, error) {
	var config kube.Config
	var keys struct{ Certificate, Key []byte }
	err := errors.Join(readJSON(kubeconfig, &config), readJSON(filepath.Join(root, ".idumb/run/api/access.json"), &keys))
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(keys.Certificate, keys.Key)
	if err != nil {
		return nil, err
	}
	cluster := &config.Clusters[0].Cluster
	to, err := url.Parse(cluster.Server)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cluster.CA)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	cluster.Server = "https://" + listener.Addr().String()
	text, err := json.Marshal(config)
	if err == nil {
		err = os.WriteFile(kubeconfig, text, 0o600)
	}
	out, created := os.Create(file)
	if err = errors.Join(err, created); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval = -1
	proxy.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	r := &recorder{file: out, requested: map[string]bool{}}
	proxy.ModifyResponse = r.note
	r.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		q = q.WithContext(context.WithValue(q.Context(), bodyKey{}, body))
		q.Body, q.Host = io.NopCloser(bytes.NewReader(body)), to.Host
		proxy.ServeHTTP(w, q)
	}), TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}}}
	go func() { _ = r.server.ServeTLS(listener, "", "") }()
	return r, nil
}

// bodyKey is the context key of a request's body, because the body has been read.
type bodyKey struct{}

// note records a request with the status of its answer, without duplicates.
func (r *recorder) note(answer *http.Response) error {
	q := answer.Request
	line := request{Method: q.Method, Path: q.URL.RequestURI(), Accept: q.Header.Get("Accept"), ContentType: q.Header.Get("Content-Type"), Code: answer.StatusCode}
	line.Body, _ = q.Context().Value(bodyKey{}).([]byte)
	text, err := json.Marshal(line)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.requested[string(text)] || answer.StatusCode == http.StatusUnauthorized {
		return nil
	}
	r.requested[string(text)] = true
	_, wrote := r.file.Write(append(text, '\n'))
	r.err = errors.Join(r.err, err, wrote)
	return nil
}

func (r *recorder) close() error {
	if r == nil {
		return nil
	}
	return errors.Join(r.server.Close(), r.file.Close(), r.err)
}

func readJSON(file string, value any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, value)
}
