/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.OpenSSLLifecycleListener;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

import module java.base;
import module java.net.http;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A web server with TLS by OpenSSL: Tomcat serves the Java files of {@code java.base} to clients of HTTP/1.1 and HTTP/2,
 * each with a connection of its own, on platform threads and on virtual ones.
 */
final class ServeSources {

    private static final int CLIENTS = 200;
    private static final int REQUESTS = 100;

    /** @param args the JDK's {@code src.zip}, a key store with the password {@code secret}, and a directory for Tomcat */
    public static void main(String[] args) throws Exception {
        Map<String, SourceFile> files = SourceFile.of(args[0]).stream()
                .collect(Collectors.toMap(SourceFile::name, Function.identity()));
        Path store = Path.of(args[1]);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[2]);
        tomcat.getServer().addLifecycleListener(new OpenSSLLifecycleListener());
        List<Connector> connectors = List.of(connector(store, false), connector(store, true));
        tomcat.setConnector(connectors.getFirst());
        tomcat.getService().addConnector(connectors.getLast());
        Context context = tomcat.addContext("", Path.of(args[2]).toAbsolutePath().toString());
        Tomcat.addServlet(context, "sources", new HttpServlet() {
            private static final long serialVersionUID = 1;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                SourceFile file = files.get(request.getPathInfo().substring(1));
                response.setContentType("text/plain; charset=utf-8");
                response.getOutputStream().write(file.text().getBytes(UTF_8));
            }
        });
        context.addServletMappingDecoded("/*", "sources");
        tomcat.start();
        long bytes = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<String> names = List.copyOf(files.keySet());
            List<Callable<Long>> clients = IntStream.range(0, CLIENTS).<Callable<Long>>mapToObj(
                    i -> () -> read(store, connectors.get(i % 2).getLocalPort(),
                            i % 4 < 2 ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2, names, i * REQUESTS)).toList();
            for (Future<Long> client : threads.invokeAll(clients)) {
                bytes += client.get();
            }
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
        System.out.println(CLIENTS + " connections, " + CLIENTS * REQUESTS + " requests, " + bytes + " bytes");
    }

    /** {@return how many bytes came for {@link #REQUESTS} of {@code names}, from the one at {@code first} on, on one connection} */
    private static long read(Path store, int port, HttpClient.Version version, List<String> names, int first) throws Exception {
        long bytes = 0;
        try (HttpClient http = HttpClient.newBuilder().sslContext(trusting(store)).version(version).build()) {
            for (int i = 0; i < REQUESTS; i++) {
                URI uri = new URI("https", null, "localhost", port, "/" + names.get((first + i) % names.size()), null, null);
                HttpResponse<byte[]> response = http.send(HttpRequest.newBuilder(uri).build(),
                        HttpResponse.BodyHandlers.ofByteArray());
                if (response.statusCode() != 200) {
                    throw new IOException(uri + ": " + response.statusCode() + " " + new String(response.body(), UTF_8));
                }
                bytes += response.body().length;
            }
        }
        return bytes;
    }

    private static Connector connector(Path store, boolean virtualThreads) {
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setThrowOnFailure(true);
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
        connector.setProperty("sslImplementationName", "org.apache.tomcat.util.net.openssl.panama.OpenSSLImplementation");
        connector.setProperty("useVirtualThreads", String.valueOf(virtualThreads));
        connector.addUpgradeProtocol(new Http2Protocol());
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(store.toAbsolutePath().toString());
        certificate.setCertificateKeystorePassword("secret");
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        return connector;
    }

    private static SSLContext trusting(Path store) throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(keys); // of a key it trusts the certificate
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
