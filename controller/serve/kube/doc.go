// Package kube serves the repository as a Kubernetes API server does, for kubectl, k9s and other
// clients: over TLS on 127.0.0.1, to whoever has the owner's token. Objects, tables and watches are
// those of package serve; writes go through package mutate, as those of commands do.
//
// It is opened when somebody asks for a kubeconfig, and closes itself when nobody has used it for
// a while. Its keys, token and port stay as they are in .idumb/run/api, so that clients find it
// again after a restart.
package kube
