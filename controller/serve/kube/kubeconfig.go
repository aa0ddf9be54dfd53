package kube

import (
	"net"
	"strconv"
)

// Config is a kubeconfig with the API's address and credentials. It is encoded
// as JSON, which kubectl reads as YAML.
type Config struct {
	APIVersion     string            `json:"apiVersion"`
	Kind           string            `json:"kind"`
	CurrentContext string            `json:"current-context"`
	Clusters       []NamedCluster    `json:"clusters"`
	Contexts       []NamedContext    `json:"contexts"`
	Users          []NamedUser       `json:"users"`
	Preferences    map[string]string `json:"preferences"`
}

// NamedCluster is a cluster with its name.
type NamedCluster struct {
	Name    string  `json:"name"`
	Cluster Cluster `json:"cluster"`
}

// NamedContext is a context with its name.
type NamedContext struct {
	Name    string  `json:"name"`
	Context Context `json:"context"`
}

// NamedUser is a user with its name.
type NamedUser struct {
	Name string `json:"name"`
	User User   `json:"user"`
}

// Cluster is the address of an API.
type Cluster struct {
	Server string `json:"server"`
	CA     []byte `json:"certificate-authority-data"` // PEM
}

// Context combines a cluster, a user and a namespace.
type Context struct {
	Cluster   string `json:"cluster"`
	User      string `json:"user"`
	Namespace string `json:"namespace"`
}

// User holds the credentials of a client.
type User struct {
	Token string `json:"token"`
}

// config returns the kubeconfig of the repository with that namespace.
func (a *access) config(namespace string) Config {
	user := namespace + "-owner"
	return Config{
		APIVersion: "v1", Kind: "Config", CurrentContext: namespace,
		Clusters: []NamedCluster{{namespace, Cluster{"https://" + a.address(), a.CA}}},
		Contexts: []NamedContext{{namespace, Context{namespace, user, namespace}}},
		Users:    []NamedUser{{user, User{a.Token}}},
	}
}

// address returns the address on which the API listens.
func (a *access) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(a.Port)) }
