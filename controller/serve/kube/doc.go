// Package kube serves the repository as a Kubernetes API server for kubectl,
// k9s and other clients. It uses TLS on 127.0.0.1 and requires the owner's
// token. Objects, tables and watches come from package serve. Writes go through
// package mutate, like those of commands.
//
// The API opens when a kubeconfig is requested and closes after IdleAfter
// without use. Its keys, token and port are kept in .idumb/run/api, so that
// clients find it again after a restart.
package kube
